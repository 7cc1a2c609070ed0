#include "core/comparing/ranks/placed_shards.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <memory>
#include <ranges>
#include <utility>

#include "core/base/list_of.h"

namespace ulp::analysis {
namespace {

using dumps::Placement;
using dumps::ReplicaCheck;
using dumps::Statistics;
using dumps::TensorRecipe;
using Shards = std::vector<PlacedShard>;

const Placement::Axis& axisOf(const PlacedShard& part, std::size_t axis) {
  return part.row.placement->axes[axis];
}

bool differAlong(const Shards& parts, std::size_t axis) {
  return std::ranges::any_of(parts, [&](const PlacedShard& part) {
    return axisOf(part, axis).coordinate != axisOf(parts.front(), axis).coordinate;
  });
}

/// Whether all say where they lie on a mesh, and differ along a dimension of it of such a kind.
template <class IsKind>
bool differAlongAny(const Shards& parts, const IsKind& isKind) {
  const auto isAlike = [&](const PlacedShard& part) {
    return part.row.placement &&
           part.row.placement->axes.size() == parts.front().row.placement->axes.size();
  };
  if (parts.empty() || !parts.front().row.placement || !std::ranges::all_of(parts, isAlike)) {
    return false;
  }
  const std::size_t axes = parts.front().row.placement->axes.size();
  return std::ranges::any_of(std::views::iota(std::size_t{0}, axes), [&](std::size_t axis) {
    return isKind(axisOf(parts.front(), axis).kind) && differAlong(parts, axis);
  });
}

/// In which the dimensions of the mesh are put together: what was cut last comes first.
std::vector<std::size_t> orderOf(const Placement& placement) {
  std::vector<std::size_t> order;
  for (const bool isInnermost : {true, false}) {
    for (std::size_t axis = placement.axes.size(); axis-- > 0;) {
      if (placement.axes[axis].isInnermost == isInnermost) {
        order.push_back(axis);
      }
    }
  }
  return order;
}

std::string placedShapeText(const std::vector<std::int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

/// The parts along one dimension of the mesh, in their order.
class AxisJoiner {
 public:
  AxisJoiner(Shards parts, std::size_t axis) : m_parts(std::move(parts)), m_axis(axis) {}

  PlacedWhole join() {
    const Placement::Axis axis = axisOf(m_parts.front(), m_axis);
    if (static_cast<std::int64_t>(m_parts.size()) != axis.size) {
      return {{},
              {ULP_TR_NOOP("%1 of its %2 parts are there"),
               {std::to_string(m_parts.size()), std::to_string(axis.size)}}};
    }
    m_whole = m_parts.front().row;
    m_whole.replicas = nullptr;
    for (const PlacedShard& part : m_parts) {
      include(m_whole.replicas, part.row.replicas);
    }
    PlacedWhole joined = joinedAs(axis);
    if (joined.problem.isEmpty()) {
      auto placement = std::make_shared<Placement>(*m_parts.front().row.placement);
      placement->axes[m_axis] = {};
      joined.whole.row.placement = std::move(placement);
    }
    return joined;
  }

 private:
  [[nodiscard]] std::vector<TensorRecipe> recipes() const {
    return listOf(m_parts, &PlacedShard::recipe);
  }

  PlacedWhole joinedAs(const Placement::Axis& axis) {
    switch (axis.kind) {
      case Placement::Kind::Replicated: {
        auto check = std::make_shared<ReplicaCheck>();
        if (m_whole.replicas) {
          check->includes(m_whole.replicas);
        }
        m_whole.replicas = check;
        return {{m_whole, dumps::sameOf(recipes(), check)}};
      }
      case Placement::Kind::Shard:
        return concatenated(static_cast<std::size_t>(axis.dim));
      case Placement::Kind::Sum:
      case Placement::Kind::Mean:
        m_whole.statistics = {};
        m_whole.checksum.clear();
        return {{m_whole,
                 dumps::recipeOf(axis.kind == Placement::Kind::Sum ? TensorRecipe::Kind::Sum
                                                                   : TensorRecipe::Kind::Mean,
                                 recipes())}};
      case Placement::Kind::Unknown:
        break;
    }
    return {{}, {ULP_TR_NOOP("its parts are joined in a way that is not known"), {}}};
  }

  PlacedWhole concatenated(std::size_t dim) {
    std::vector<Statistics> statistics;
    std::vector<std::uint64_t> counts;
    std::int64_t size = 0;
    for (const PlacedShard& part : m_parts) {
      std::vector<std::int64_t> shape = part.row.shape;
      if (dim >= shape.size() || shape.size() != m_whole.shape.size()) {
        return {
            {},
            {ULP_TR_NOOP("no dimension %1 in %2"), {std::to_string(dim), placedShapeText(shape)}}};
      }
      size += std::exchange(shape[dim], m_whole.shape[dim]);
      if (shape != m_whole.shape) {
        return {{},
                {ULP_TR_NOOP("%1 beside %2"),
                 {placedShapeText(part.row.shape), placedShapeText(m_whole.shape)}}};
      }
      // A rank that has none of it knows no maximum.
      if (const std::uint64_t count = dumps::elementCount(part.row.shape); count > 0) {
        statistics.push_back(part.row.statistics);
        counts.push_back(count);
      }
    }
    m_whole.shape[dim] = size;
    m_whole.checksum.clear();
    m_whole.statistics = dumps::together(statistics, counts);
    return {
        {m_whole,
         dumps::recipeOf(TensorRecipe::Kind::Concat, recipes(), static_cast<std::int64_t>(dim))}};
  }

  Shards m_parts;
  std::size_t m_axis;
  dumps::DumpRow m_whole;
};

/// A part along `dim` is cut once more, along another dimension of the mesh in which they are
/// equal.
bool isCutOnceMore(const Shards& parts, std::size_t axis) {
  const Placement::Axis& own = axisOf(parts.front(), axis);
  return own.kind == Placement::Kind::Shard && !own.isInnermost &&
         std::ranges::any_of(parts.front().row.placement->axes, [&](const Placement::Axis& other) {
           return other.isInnermost && other.size > 1 && other.dim == own.dim;
         });
}

}  // namespace

bool arePlacedShards(const std::vector<PlacedShard>& parts) {
  return differAlongAny(parts,
                        [](Placement::Kind kind) { return kind != Placement::Kind::Replicated; });
}

bool arePlacedReplicas(const std::vector<PlacedShard>& parts) {
  return !arePlacedShards(parts) && differAlongAny(parts, [](Placement::Kind) { return true; });
}

PlacedWhole wholeOf(std::vector<PlacedShard> parts) {
  for (const std::size_t axis : orderOf(*parts.front().row.placement)) {
    if (!differAlong(parts, axis)) {
      continue;
    }
    if (isCutOnceMore(parts, axis)) {
      return {{},
              {ULP_TR_NOOP("it is cut along two dimensions of the mesh; name all its ranks in one "
                           "group"),
               {}}};
    }
    std::map<std::vector<std::int64_t>, std::map<std::int64_t, PlacedShard>> groups;
    for (PlacedShard& part : parts) {
      auto others = listOf(part.row.placement->axes, &Placement::Axis::coordinate);
      const std::int64_t own = std::exchange(others[axis], 0);
      if (!groups[others].emplace(own, std::move(part)).second) {
        return {{}, {ULP_TR_NOOP("two ranks hold the same part of it"), {}}};
      }
    }
    parts.clear();
    for (auto& [others, group] : groups) {
      Shards own;
      for (auto& [coordinate, part] : group) {
        own.push_back(std::move(part));
      }
      PlacedWhole joined = AxisJoiner(std::move(own), axis).join();
      if (!joined.problem.isEmpty()) {
        return joined;
      }
      parts.push_back(std::move(joined.whole));
    }
  }
  const Placement& placement = *parts.front().row.placement;
  const bool isWhole = std::ranges::all_of(
      placement.axes, [](const Placement::Axis& axis) { return axis.size == 1; });
  PlacedShard& whole = parts.front();
  if (isWhole && whole.row.shape.size() == 1 && whole.row.shape != placement.shape &&
      dumps::elementCount(whole.row.shape) == dumps::elementCount(placement.shape)) {
    whole.row.shape = placement.shape;
    whole.recipe = dumps::reshapeOf(std::move(whole.recipe), placement.shape);
  }
  if (isWhole && parts.front().row.shape != placement.shape) {
    return {{},
            {ULP_TR_NOOP("%1 instead of %2"),
             {placedShapeText(parts.front().row.shape), placedShapeText(placement.shape)}}};
  }
  return {std::move(parts.front())};
}

PlacementPtr placementBehind(const std::vector<PlacementPtr>& parts, std::size_t dim) {
  const bool areSaid = std::ranges::all_of(
      parts, [&](const PlacementPtr& part) { return part && dim < part->shape.size(); });
  if (!areSaid) {
    return nullptr;
  }
  auto placement = std::make_shared<Placement>(*parts.front());
  for (Placement::Axis& axis : placement->axes) {
    const bool isCutThere =
        axis.kind == Placement::Kind::Shard && axis.dim == static_cast<std::int64_t>(dim);
    axis.kind = isCutThere ? Placement::Kind::Unknown : axis.kind;
  }
  for (const PlacementPtr& part : parts | std::views::drop(1)) {
    placement->shape[dim] += part->shape[dim];
  }
  return placement;
}

}  // namespace ulp::analysis
