#include "core/analysis/mapping/rank_layout_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

#include "core/base/text/parse_number.h"

namespace ulp::analysis {
namespace {

using study::YamlNode;

/// More than any machine has; keeps groups of damaged files small.
constexpr std::int64_t kMostRanks = 1 << 16;
constexpr std::string_view kRankKeys = "tensor, data, pipeline, chunks, layers, expert and experts";

std::optional<std::int64_t> rankNumberIn(const YamlNode& node) {
  const auto value = parseNatural<std::int64_t>(node.text);
  const bool isWhole = node.kind == YamlNode::Kind::Scalar && value;
  return isWhole && *value < kMostRanks ? value : std::nullopt;
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
      return wrong(node, fmt::format("'ranks' is a map of {}", kRankKeys));
    }
    for (const YamlNode::Entry& entry : node.entries) {
      ULP_TRY(readKey(entry));
    }
    if (m_tensor.size || m_pipeline.size || m_data.size || m_expert.size) {
      return fromSizes(node);
    }
    m_layout.tensor = std::move(m_tensor.groups);
    m_layout.pipeline = std::move(m_pipeline.groups);
    m_layout.data = std::move(m_data.groups);
    m_layout.expert = std::move(m_expert.groups);
    return checked(node);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> wrong(const YamlNode& node, std::string_view what) const {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("{}:{}:{}: {}", m_origin, node.position.line, node.position.column, what));
  }

  [[nodiscard]] Result<> readKey(const YamlNode::Entry& entry) {
    Axis* axis = entry.key == "tensor"     ? &m_tensor
                 : entry.key == "pipeline" ? &m_pipeline
                 : entry.key == "data"     ? &m_data
                 : entry.key == "expert"   ? &m_expert
                                           : nullptr;
    if (axis != nullptr) {
      return readAxis(entry, *axis);
    }
    if (entry.key == "layers") {
      return readLayers(entry.value);
    }
    if (entry.key == "chunks" || entry.key == "experts") {
      const auto number = rankNumberIn(entry.value);
      if (!number || *number == 0) {
        return wrong(entry.value, fmt::format("'{}' is a number from 1 up", entry.key));
      }
      (entry.key == "chunks" ? m_chunks : m_experts) = *number;
      return {};
    }
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}:{}:{}: unknown key '{}'; ranks have {}",
                            m_origin,
                            entry.position.line,
                            entry.position.column,
                            entry.key,
                            kRankKeys));
  }

  /// A number for each stage, or for each a list of one for each of its chunks.
  [[nodiscard]] Result<> readLayers(const YamlNode& node) {
    const bool isOfChunks = node.kind == YamlNode::Kind::List && !node.items.empty() &&
                            node.items.front().kind == YamlNode::Kind::List;
    if (!isOfChunks) {
      return readNumbers(node, m_layout.layers);
    }
    for (const YamlNode& stage : node.items) {
      const std::size_t before = m_layout.layers.size();
      ULP_TRY(readNumbers(stage, m_layout.layers));
      const std::size_t chunks = m_layout.layers.size() - before;
      if (chunks != node.items.front().items.size()) {
        return wrong(stage, "every stage of 'layers' has a number for each chunk");
      }
      m_listed = static_cast<std::int64_t>(chunks);
    }
    return {};
  }

  [[nodiscard]] Result<> readNumbers(const YamlNode& node, std::vector<std::int64_t>& numbers) {
    if (node.kind != YamlNode::Kind::List || node.items.empty()) {
      return wrong(node, "is no list of numbers");
    }
    for (const YamlNode& item : node.items) {
      const auto number = rankNumberIn(item);
      if (!number) {
        return wrong(item, "is no number of a rank or layer");
      }
      numbers.push_back(*number);
    }
    return {};
  }

  [[nodiscard]] Result<> readAxis(const YamlNode::Entry& entry, Axis& axis) {
    if (entry.value.kind == YamlNode::Kind::Scalar) {
      axis.size = rankNumberIn(entry.value);
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
      ULP_TRY(readNumbers(item, axis.groups.back()));
    }
    return {};
  }

  [[nodiscard]] Result<RankLayout> fromSizes(const YamlNode& node) {
    if (!m_tensor.groups.empty() || !m_pipeline.groups.empty() || !m_data.groups.empty() ||
        !m_expert.groups.empty()) {
      return wrong(node, "give the number of ranks for every axis, or their groups for every axis");
    }
    const std::int64_t tensors = m_tensor.size.value_or(1);
    const std::int64_t stages = m_pipeline.size.value_or(1);
    const std::int64_t copies = m_data.size.value_or(1);
    const std::int64_t owners = m_expert.size.value_or(1);
    if (tensors * stages >= kMostRanks || tensors * stages * copies >= kMostRanks) {
      return wrong(node, "are more ranks than there can be");
    }
    if (copies % owners != 0) {
      return wrong(node,
                   fmt::format("'expert' divides the data-parallel ranks, and {} is no multiple "
                               "of {}; groups say otherwise",
                               copies,
                               owners));
    }
    m_layout.pipeline.resize(static_cast<std::size_t>(stages));
    m_layout.data.resize(static_cast<std::size_t>(tensors * stages));
    const std::int64_t expertGroups = m_expert.size ? tensors * stages * (copies / owners) : 0;
    m_layout.expert.resize(static_cast<std::size_t>(expertGroups));
    for (std::int64_t rank = 0; rank < tensors * stages * copies; ++rank) {
      const std::int64_t shard = rank % tensors;
      const std::int64_t copy = rank / tensors % copies;
      const std::int64_t stage = rank / (tensors * copies);
      if (shard == 0) {
        m_layout.tensor.emplace_back();
      }
      m_layout.tensor.back().push_back(rank);
      m_layout.pipeline[static_cast<std::size_t>(stage)].push_back(rank);
      const std::int64_t column = stage * tensors + shard;
      m_layout.data[static_cast<std::size_t>(column)].push_back(rank);
      if (expertGroups > 0) {
        const std::int64_t group = column * (copies / owners) + copy / owners;
        m_layout.expert[static_cast<std::size_t>(group)].push_back(rank);
      }
    }
    return checked(node);
  }

  [[nodiscard]] static std::optional<std::int64_t> repeatedRank(const RankGroups& groups) {
    std::set<std::int64_t> seen;
    for (const auto& group : groups) {
      const auto repeated =
          std::ranges::find_if(group, [&](std::int64_t rank) { return !seen.insert(rank).second; });
      if (repeated != group.end()) {
        return *repeated;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Result<RankLayout> checked(const YamlNode& node) {
    for (const RankGroups* groups :
         {&m_layout.tensor, &m_layout.pipeline, &m_layout.data, &m_layout.expert}) {
      if (const auto rank = repeatedRank(*groups)) {
        return wrong(node, fmt::format("rank {} is in two places of one axis", *rank));
      }
    }
    m_layout.chunks = m_chunks.value_or(m_listed.value_or(1));
    if (m_listed && *m_listed != m_layout.chunks) {
      return wrong(node,
                   fmt::format("'layers' has {} numbers for every stage, and there are {} chunks",
                               *m_listed,
                               m_layout.chunks));
    }
    m_layout.experts = m_experts.value_or(0);
    ULP_TRY(checkLayers(node));
    ULP_TRY(checkExperts(node));
    return std::move(m_layout);
  }

  [[nodiscard]] Result<> checkLayers(const YamlNode& node) const {
    const std::size_t wanted = m_layout.stages() * static_cast<std::size_t>(m_layout.chunks);
    if (m_layout.layers.empty() || m_layout.layers.size() == wanted) {
      return {};
    }
    return wrong(
        node,
        fmt::format("'layers' has {} numbers for {} stages of 'pipeline'{}",
                    m_layout.layers.size(),
                    m_layout.stages(),
                    m_layout.chunks > 1
                        ? fmt::format(" of {} chunks each, as in [[0, 4], [2, 6]]", m_layout.chunks)
                        : ""));
  }

  [[nodiscard]] Result<> checkExperts(const YamlNode& node) const {
    if (m_layout.experts > 0 && m_layout.expert.empty()) {
      return wrong(node, "'experts' are divided among the ranks that 'expert' says");
    }
    for (const auto& group : m_layout.expert) {
      if (m_layout.experts % static_cast<std::int64_t>(group.size()) != 0) {
        return wrong(node,
                     fmt::format("{} experts are not divided evenly among {} ranks",
                                 m_layout.experts,
                                 group.size()));
      }
    }
    return {};
  }

  std::string_view m_origin;
  Axis m_tensor;
  Axis m_pipeline;
  Axis m_data;
  Axis m_expert;
  std::optional<std::int64_t> m_chunks;
  std::optional<std::int64_t> m_experts;
  std::optional<std::int64_t> m_listed;  ///< chunks for which 'layers' has numbers
  RankLayout m_layout;
};

}  // namespace

Result<> readRanks(const YamlNode& node, std::string_view origin, DumpRules& rules) {
  const bool isOfSides = node.kind == YamlNode::Kind::Map && !node.entries.empty() &&
                         std::ranges::all_of(node.entries, [](const YamlNode::Entry& entry) {
                           return entry.key == "baseline" || entry.key == "candidate";
                         });
  if (!isOfSides) {
    auto layout = ULP_TRY(LayoutReader(origin).read(node));
    rules.baselineRanks = layout;
    rules.candidateRanks = std::move(layout);
    return {};
  }
  for (const YamlNode::Entry& entry : node.entries) {
    auto layout = ULP_TRY(LayoutReader(origin).read(entry.value));
    (entry.key == "baseline" ? rules.baselineRanks : rules.candidateRanks) = std::move(layout);
  }
  return {};
}

}  // namespace ulp::analysis
