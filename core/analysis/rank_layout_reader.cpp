#include "core/analysis/rank_layout_reader.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

namespace ulp::analysis {
namespace {

using study::YamlNode;

/// More than any machine has; keeps groups of damaged files small.
constexpr std::int64_t kMostRanks = 1 << 16;

std::optional<std::int64_t> integerIn(const YamlNode& node) {
  std::int64_t value = 0;
  const char* const end = node.text.data() + node.text.size();
  const auto [last, error] = std::from_chars(node.text.data(), end, value);
  const bool isWhole = node.kind == YamlNode::Kind::Scalar && error == std::errc() && last == end;
  return isWhole && value >= 0 && value < kMostRanks ? std::optional(value) : std::nullopt;
}

/// Groups, or the sizes that stand for them.
struct Axis {
  RankGroups groups;
  std::optional<std::int64_t> size;
};

class LayoutReader {
 public:
  explicit LayoutReader(std::string_view origin) : m_origin(origin) {}

  [[nodiscard]] Result<RankLayout> read(const YamlNode& node) {
    if (node.kind != YamlNode::Kind::Map) {
      return wrong(node, "'ranks' is a map of tensor, pipeline, data and layers");
    }
    Axis tensor;
    Axis pipeline;
    Axis data;
    RankLayout layout;
    for (const YamlNode::Entry& entry : node.entries) {
      Axis* axis = entry.key == "tensor"     ? &tensor
                   : entry.key == "pipeline" ? &pipeline
                   : entry.key == "data"     ? &data
                                             : nullptr;
      Result<> done;
      if (axis != nullptr) {
        done = readAxis(entry, *axis);
      } else if (entry.key == "layers") {
        done = readNumbers(entry.value, layout.layers);
      } else {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}:{}:{}: unknown key '{}'; ranks have tensor, pipeline, data and "
                                "layers",
                                m_origin,
                                entry.position.line,
                                entry.position.column,
                                entry.key));
      }
      if (!done) {
        return tl::unexpected<Error>(std::move(done.error()));
      }
    }
    if (tensor.size || pipeline.size || data.size) {
      return fromSizes(node, {tensor, pipeline, data}, std::move(layout));
    }
    layout.tensor = std::move(tensor.groups);
    layout.pipeline = std::move(pipeline.groups);
    layout.data = std::move(data.groups);
    return checked(node, std::move(layout));
  }

 private:
  [[nodiscard]] tl::unexpected<Error> wrong(const YamlNode& node, std::string_view what) const {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("{}:{}:{}: {}", m_origin, node.position.line, node.position.column, what));
  }

  [[nodiscard]] Result<> readNumbers(const YamlNode& node, std::vector<std::int64_t>& numbers) {
    if (node.kind != YamlNode::Kind::List || node.items.empty()) {
      return wrong(node, "is no list of numbers");
    }
    for (const YamlNode& item : node.items) {
      const auto number = integerIn(item);
      if (!number) {
        return wrong(item, "is no number of a rank or layer");
      }
      numbers.push_back(*number);
    }
    return {};
  }

  [[nodiscard]] Result<> readAxis(const YamlNode::Entry& entry, Axis& axis) {
    if (entry.value.kind == YamlNode::Kind::Scalar) {
      axis.size = integerIn(entry.value);
      return axis.size && *axis.size > 0
                 ? Result<>()
                 : wrong(entry.value, "is neither groups of ranks nor their number");
    }
    const bool isOneGroup = entry.value.kind == YamlNode::Kind::List &&
                            !entry.value.items.empty() &&
                            entry.value.items.front().kind == YamlNode::Kind::Scalar;
    if (isOneGroup) {
      axis.groups.emplace_back();
      return readNumbers(entry.value, axis.groups.back());
    }
    if (entry.value.kind != YamlNode::Kind::List || entry.value.items.empty()) {
      return wrong(entry.value, "is neither groups of ranks nor their number");
    }
    for (const YamlNode& item : entry.value.items) {
      axis.groups.emplace_back();
      if (auto done = readNumbers(item, axis.groups.back()); !done) {
        return done;
      }
    }
    return {};
  }

  struct Axes {
    const Axis& tensor;
    const Axis& pipeline;
    const Axis& data;
  };
  [[nodiscard]] Result<RankLayout> fromSizes(const YamlNode& node,
                                             const Axes& axes,
                                             RankLayout layout) const {
    if (!axes.tensor.groups.empty() || !axes.pipeline.groups.empty() || !axes.data.groups.empty()) {
      return wrong(node, "give the number of ranks for every axis, or their groups for every axis");
    }
    const std::int64_t tensors = axes.tensor.size.value_or(1);
    const std::int64_t stages = axes.pipeline.size.value_or(1);
    const std::int64_t copies = axes.data.size.value_or(1);
    if (tensors * stages >= kMostRanks || tensors * stages * copies >= kMostRanks) {
      return wrong(node, "are more ranks than there can be");
    }
    layout.pipeline.resize(static_cast<std::size_t>(stages));
    layout.data.resize(static_cast<std::size_t>(tensors * stages));
    for (std::int64_t rank = 0; rank < tensors * stages * copies; ++rank) {
      const std::int64_t shard = rank % tensors;
      const std::int64_t stage = rank / (tensors * copies);
      if (shard == 0) {
        layout.tensor.emplace_back();
      }
      layout.tensor.back().push_back(rank);
      layout.pipeline[static_cast<std::size_t>(stage)].push_back(rank);
      layout.data[static_cast<std::size_t>(stage * tensors + shard)].push_back(rank);
    }
    return checked(node, std::move(layout));
  }

  [[nodiscard]] static std::optional<std::int64_t> repeatedRank(const RankGroups& groups) {
    std::set<std::int64_t> seen;
    for (const auto& group : groups) {
      const auto repeated = std::find_if(
          group.begin(), group.end(), [&](std::int64_t rank) { return !seen.insert(rank).second; });
      if (repeated != group.end()) {
        return *repeated;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Result<RankLayout> checked(const YamlNode& node, RankLayout layout) const {
    for (const RankGroups* groups : {&layout.tensor, &layout.pipeline, &layout.data}) {
      if (const auto rank = repeatedRank(*groups)) {
        return wrong(node, fmt::format("rank {} is in two places of one axis", *rank));
      }
    }
    if (!layout.layers.empty() && layout.layers.size() != layout.pipeline.size()) {
      return wrong(node,
                   fmt::format("'layers' has {} numbers for {} stages of 'pipeline'",
                               layout.layers.size(),
                               layout.pipeline.size()));
    }
    return layout;
  }

  std::string_view m_origin;
};

}  // namespace

Result<> readRanks(const YamlNode& node, std::string_view origin, DumpRules& rules) {
  const bool isOfSides =
      node.kind == YamlNode::Kind::Map && !node.entries.empty() &&
      std::all_of(node.entries.begin(), node.entries.end(), [](const YamlNode::Entry& entry) {
        return entry.key == "baseline" || entry.key == "candidate";
      });
  if (!isOfSides) {
    auto layout = LayoutReader(origin).read(node);
    if (!layout) {
      return tl::unexpected<Error>(std::move(layout.error()));
    }
    rules.baselineRanks = *layout;
    rules.candidateRanks = std::move(*layout);
    return {};
  }
  for (const YamlNode::Entry& entry : node.entries) {
    auto layout = LayoutReader(origin).read(entry.value);
    if (!layout) {
      return tl::unexpected<Error>(std::move(layout.error()));
    }
    (entry.key == "baseline" ? rules.baselineRanks : rules.candidateRanks) = std::move(*layout);
  }
  return {};
}

}  // namespace ulp::analysis
