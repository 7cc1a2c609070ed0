#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/list_of.h"
#include "core/comparing/align/edited_sides.h"
#include "core/comparing/match/row_lookup.h"
#include "core/comparing/ranks/noted_tensors.h"

namespace ulp::analysis {
namespace {

using dumps::DerivedUnit;
using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::Role;
using dumps::TensorRecipe;
using Shape = std::vector<std::int64_t>;

/// What a row is made of; null: it is as it was recorded.
const TensorRecipe* madeOf(const DumpUnit& unit, std::size_t row) {
  const TensorRecipe* recipe = nullptr;
  const auto* derived = dynamic_cast<const DerivedUnit*>(&unit);
  while (derived != nullptr && (recipe == nullptr || recipe->kind == TensorRecipe::Kind::Row)) {
    recipe = &derived->recipe(recipe == nullptr ? row : recipe->row);
    derived = dynamic_cast<const DerivedUnit*>(recipe->unit.get());
  }
  return recipe;
}

/// The row that one rank recorded, or that its ranks make; null: the recipe is of several. What a
/// sum of one divides it by leaves the shape.
const TensorRecipe* rowOfRank(const TensorRecipe& recipe) {
  const bool isOfOne = recipe.kind == TensorRecipe::Kind::Sum && recipe.parts.size() == 1;
  const TensorRecipe& own = isOfOne ? recipe.parts.front() : recipe;
  return own.kind == TensorRecipe::Kind::Row ? &own : nullptr;
}

/// What each of several ranks recorded of a tensor that was put together of theirs by a rule, not
/// by what they say themselves.
class RankParts {
 public:
  RankParts(const DumpUnit& unit, std::size_t row) : m_recipe(madeOf(unit, row)) {
    const bool isMade = m_recipe != nullptr && m_recipe->parts.size() > 1 &&
                        (m_recipe->kind == TensorRecipe::Kind::Concat ||
                         m_recipe->kind == TensorRecipe::Kind::Same);
    for (std::size_t i = 0; isMade && i < m_recipe->parts.size(); ++i) {
      const TensorRecipe* const own = rowOfRank(m_recipe->parts[i]);
      const DumpRow* const part = own == nullptr ? nullptr : &own->unit->rows[own->row];
      if (part == nullptr || part->placement) {
        m_rows.clear();
        return;
      }
      m_rows.push_back(part);
    }
  }

  [[nodiscard]] bool areThere() const { return !m_rows.empty(); }
  [[nodiscard]] std::size_t count() const { return m_rows.size(); }
  [[nodiscard]] const TensorRecipe& recipe() const { return *m_recipe; }
  [[nodiscard]] const DumpRow& ofFirst() const { return *m_rows.front(); }
  [[nodiscard]] const DumpUnit& unitOfFirst() const {
    return *rowOfRank(m_recipe->parts.front())->unit;
  }
  [[nodiscard]] const Shape& shapeOfFirst() const { return m_rows.front()->shape; }

  /// As far as was recorded.
  [[nodiscard]] bool areAlike() const {
    const DumpRow& first = *m_rows.front();
    return (!first.checksum.empty() || !first.statistics.isEmpty()) &&
           std::ranges::all_of(m_rows, [&](const DumpRow* part) {
             return part->shape == first.shape && part->checksum == first.checksum &&
                    isSame(part->statistics, first.statistics);
           });
  }

  /// Along which dimension they make `whole`.
  [[nodiscard]] std::optional<std::size_t> dimensionOf(const Shape& whole) const {
    const Shape& first = shapeOfFirst();
    if (first.size() != whole.size()) {
      return std::nullopt;
    }
    std::size_t dim = 0;
    while (dim < whole.size() && first[dim] == whole[dim]) {
      ++dim;
    }
    std::int64_t size = 0;
    for (const DumpRow* part : m_rows) {
      Shape shape = part->shape;
      if (dim == whole.size() || shape.size() != whole.size()) {
        return std::nullopt;
      }
      size += std::exchange(shape[dim], whole[dim]);
      if (shape != whole) {
        return std::nullopt;
      }
    }
    return size == whole[dim] ? std::optional(dim) : std::nullopt;
  }

  /// Of all of them, as they were recorded.
  [[nodiscard]] dumps::Statistics statistics() const {
    return dumps::together(
        listOf(m_rows, [](const DumpRow* part) { return part->statistics; }),
        listOf(m_rows, [](const DumpRow* part) { return dumps::elementCount(part->shape); }));
  }
  [[nodiscard]] bool areAsRecorded() const {
    return m_recipe->parts.front().kind == TensorRecipe::Kind::Row;
  }

 private:
  const TensorRecipe* m_recipe;
  std::vector<const DumpRow*> m_rows;
};

/// Brings tensors of the ranks of one side to the shapes of the other.
class ShapeFitter {
 public:
  ShapeFitter(EditedSide& side, EditedSide& other)
      : m_side(side),
        m_other(other),
        m_ranks(ranksOf(*side.unit)),
        m_otherRanks(ranksOf(*other.unit)) {}

  void fit() {
    for (std::size_t i = 0; i < m_side.unit->entries.size(); ++i) {
      const std::size_t partner = m_other.keys.find(m_side.keys.all()[i].text());
      if (partner == dumps::kNone) {
        continue;
      }
      RowLookup lookup(*m_other.unit, m_other.entry(partner));
      for (const std::size_t r : m_side.entry(i).rows()) {
        const std::size_t same = lookup.sameIndex(m_side.row(r));
        if (same == dumps::kNone) {
          continue;
        }
        const Shape shape = shapeOf(m_side.entry(i), m_side.row(r), same);
        if (shape != m_side.row(r).shape) {
          fit(m_side.entry(i), r, shape);
        } else if (isCountOfShare(m_side.row(r), m_other.row(same))) {
          m_counts.add([&] { return Sentence(m_side.row(r).name); });
          m_side.edit.remove(r);
          m_other.edit.remove(same);
        }
      }
    }
    if (m_count > 0) {
      m_side.edit.note(
          {ULP_TR_NOOP("%1 tensors of several ranks are put together as the shapes of the other "
                       "side say: %2; 'shards' of the mapping can say otherwise"),
           {std::to_string(m_count), andMore(m_first, m_count - 1)}});
    }
    if (auto note = m_counts.note(ULP_TR_NOOP(
            "%1 numbers count what a rank has of the batch, and are not compared: %2"))) {
      m_side.edit.note(std::move(*note));
    }
  }

 private:
  using Call = std::tuple<std::string, std::uint64_t, std::string>;
  static Call callOf(const DumpEntry& entry, const DumpRow& row) {
    return {entry.operation, entry.call, row.index};
  }

  /// How many ranks tensors were put together of, and each of these parts, and so on; 1: of none.
  static std::vector<std::size_t> ranksOf(const DumpUnit& unit) {
    std::vector<std::size_t> counts;
    const DumpUnit* next = &unit;
    while (next != nullptr) {
      const DumpUnit& of = *std::exchange(next, nullptr);
      for (std::size_t r = 0; next == nullptr && r < of.rows.size(); ++r) {
        if (const RankParts parts(of, r); parts.areThere()) {
          counts.push_back(parts.count());
          next = &parts.unitOfFirst();
        }
      }
    }
    return counts.empty() ? std::vector<std::size_t>{1} : counts;
  }

  /// Which shape the partner of a row has, or will have where its ranks have it alike.
  [[nodiscard]] Shape shapeOf(const DumpEntry& entry,
                              const DumpRow& row,
                              std::size_t partner) const {
    const RankParts parts(*m_other.unit, partner);
    const bool isAlike =
        parts.areThere() &&
        (row.role == Role::InputGradient ? m_shared.contains(callOf(entry, row))
                                         : entry.pass == Pass::Forward && parts.areAlike());
    return isAlike ? parts.shapeOfFirst() : m_other.row(partner).shape;
  }

  /// A whole number that is the other one once all ranks are counted: of tokens, of sequences.
  [[nodiscard]] bool isCountOfShare(const DumpRow& own, const DumpRow& other) const {
    const std::optional<double> share = wholeNumberOf(own);
    const std::optional<double> whole = wholeNumberOf(other);
    const auto isCounted = [&](std::size_t ranks) {
      return std::ranges::any_of(m_otherRanks, [&](std::size_t others) {
        return ranks > others &&
               *share * static_cast<double>(ranks) == *whole * static_cast<double>(others);
      });
    };
    return share && whole && *share > 0 && std::ranges::any_of(m_ranks, isCounted);
  }

  [[nodiscard]] static std::optional<double> wholeNumberOf(const DumpRow& row) {
    if (!isTensor(row)) {
      const std::optional<double> number = argumentNumber(row);
      return number && std::trunc(*number) == *number ? number : std::nullopt;
    }
    const auto type = elementTypeOf(row);
    const bool isWhole = row.shape.empty() && type && !isFloatingPoint(*type);
    return isWhole ? row.statistics.max : std::nullopt;
  }

  void fit(const DumpEntry& entry, std::size_t r, const Shape& shape) {
    const RankParts parts(*m_side.unit, r);
    if (!parts.areThere()) {
      return;
    }
    DumpRow row = m_side.row(r);
    const Call call = callOf(entry, row);
    std::vector<TensorRecipe> recipes = parts.recipe().parts;
    if (const auto dim = parts.dimensionOf(shape)) {
      // Those of concatenated parts hold along whatever dimension.
      row.statistics = parts.areAsRecorded() ? parts.statistics() : row.statistics;
      replace(r,
              std::move(row),
              shape,
              dumps::recipeOf(
                  TensorRecipe::Kind::Concat, std::move(recipes), static_cast<std::int64_t>(*dim)));
    } else if (parts.shapeOfFirst() == shape && entry.pass == Pass::Forward && parts.areAlike()) {
      m_shared.insert(call);
      row.statistics = parts.ofFirst().statistics;
      auto check = std::make_shared<dumps::ReplicaCheck>(true);
      replace(r, std::move(row), shape, dumps::sameOf(std::move(recipes), check), check);
    } else if (parts.shapeOfFirst() == shape && row.role == Role::InputGradient &&
               m_shared.contains(call)) {
      row.statistics = {};
      replace(r, std::move(row), shape, dumps::sumOf(std::move(recipes), 1));
    }
  }

  void replace(std::size_t r,
               DumpRow row,
               const Shape& shape,
               TensorRecipe recipe,
               std::shared_ptr<dumps::ReplicaCheck> check = nullptr) {
    row.shape = shape;
    row.checksum.clear();
    row.replicas = std::move(check);
    m_first = m_count == 0 ? row.name : m_first;
    ++m_count;
    m_side.edit.replace(r, std::move(row), std::move(recipe));
  }

  EditedSide& m_side;
  EditedSide& m_other;
  std::vector<std::size_t> m_ranks;
  std::vector<std::size_t> m_otherRanks;
  NotedTensors m_counts;
  /// Function, call and index of what all ranks read alike.
  std::set<Call> m_shared;
  std::string m_first;
  std::size_t m_count = 0;
};

bool hasRanks(const dumps::DumpUnitPtr& unit) {
  return dynamic_cast<const DerivedUnit*>(unit.get()) != nullptr;
}

}  // namespace

Result<> joinByShapes(UnitSides& units, const AlignmentRules& rules) {
  if (!hasRanks(units.baseline) && !hasRanks(units.candidate)) {
    return {};
  }
  EditedSides sides(units, rules.mapping);
  ShapeFitter(sides.baseline, sides.candidate).fit();
  ShapeFitter(sides.candidate, sides.baseline).fit();
  return std::move(sides).finish(units);
}

}  // namespace ulp::analysis
