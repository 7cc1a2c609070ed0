#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "core/analysis/mapping/mapping_reader.h"
#include "core/base/text/parse_number.h"

namespace ulp::analysis {
namespace {

using study::YamlNode;

/// More than any machine has; keeps groups of damaged files small. Fuzzers look at what happens
/// where the limit is, not at how far away it is.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
constexpr std::int64_t kMostRanks = 1 << 8;
#else
constexpr std::int64_t kMostRanks = 1 << 16;
#endif
constexpr std::string_view kRankKeys = "tensor, data, pipeline, chunks, layers, expert and experts";

std::optional<std::int64_t> rankNumberIn(const YamlNode& node) {
  const auto value = parseNatural<std::int64_t>(node.text);
  const bool isWhole = node.kind == YamlNode::Kind::Scalar && value;
  return isWhole && *value < kMostRanks ? value : std::nullopt;
}

/// The axes along which ranks are grouped, by key.
using Axis = std::pair<std::string_view, RankGroups RankLayout::*>;
constexpr std::array<Axis, 4> kAxes{{{"tensor", &RankLayout::tensor},
                                     {"pipeline", &RankLayout::pipeline},
                                     {"data", &RankLayout::data},
                                     {"expert", &RankLayout::expert}}};

class LayoutReader {
 public:
  explicit LayoutReader(std::string_view origin) : m_origin(origin) {}

  [[nodiscard]] Result<RankLayout> read(const YamlNode& node) {
    if (node.kind != YamlNode::Kind::Map) {
      return wrong(node.position, fmt::format("'ranks' is a map of {}", kRankKeys));
    }
    for (const YamlNode::Entry& entry : node.entries) {
      ULP_TRY(readKey(entry));
    }
    return m_sizes.empty() ? checked(node) : fromSizes(node);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> wrong(study::SourcePosition position,
                                            std::string_view what) const {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: {}", study::placeIn(m_origin, position), what));
  }

  [[nodiscard]] Result<> readKey(const YamlNode::Entry& entry) {
    const auto* const axis = std::ranges::find(kAxes, entry.key, &Axis::first);
    if (axis != kAxes.end()) {
      return readAxis(entry, m_layout.*axis->second);
    }
    if (entry.key == "layers") {
      return readLayers(entry.value);
    }
    if (entry.key == "chunks" || entry.key == "experts") {
      const auto number = rankNumberIn(entry.value);
      if (!number || *number == 0) {
        return wrong(entry.value.position, fmt::format("'{}' is a number from 1 up", entry.key));
      }
      (entry.key == "chunks" ? m_chunks : m_experts) = *number;
      return {};
    }
    return wrong(entry.position,
                 fmt::format("unknown key '{}'; ranks have {}", entry.key, kRankKeys));
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
        return wrong(stage.position, "every stage of 'layers' has a number for each chunk");
      }
      m_listed = static_cast<std::int64_t>(chunks);
    }
    return {};
  }

  [[nodiscard]] Result<> readNumbers(const YamlNode& node, std::vector<std::int64_t>& numbers) {
    if (node.kind != YamlNode::Kind::List || node.items.empty()) {
      return wrong(node.position, "is no list of numbers");
    }
    for (const YamlNode& item : node.items) {
      const auto number = rankNumberIn(item);
      if (!number) {
        return wrong(item.position, "is no number of a rank or layer");
      }
      numbers.push_back(*number);
    }
    return {};
  }

  /// Groups, one group alone, or the number of ranks that stands for them.
  [[nodiscard]] Result<> readAxis(const YamlNode::Entry& entry, RankGroups& groups) {
    const YamlNode& node = entry.value;
    const bool isList = node.kind == YamlNode::Kind::List && !node.items.empty();
    const auto size = rankNumberIn(node);
    if (!isList && size.value_or(0) == 0) {
      return wrong(node.position, "is neither groups of ranks nor their number");
    }
    if (!isList) {
      m_sizes[entry.key] = *size;
      return {};
    }
    const bool isOneGroup = node.items.front().kind == YamlNode::Kind::Scalar;
    for (const YamlNode& group : isOneGroup ? std::span(&node, 1) : std::span(node.items)) {
      groups.emplace_back();
      ULP_TRY(readNumbers(group, groups.back()));
    }
    return {};
  }

  [[nodiscard]] Result<RankLayout> fromSizes(const YamlNode& node) {
    const auto hasGroups = [this](const Axis& axis) { return !(m_layout.*axis.second).empty(); };
    if (std::ranges::any_of(kAxes, hasGroups)) {
      return wrong(node.position,
                   "give the number of ranks for every axis, or their groups for every axis");
    }
    const auto sizeOf = [this](const std::string& axis) {
      return m_sizes.contains(axis) ? m_sizes.at(axis) : 1;
    };
    const std::int64_t tensors = sizeOf("tensor");
    const std::int64_t stages = sizeOf("pipeline");
    const std::int64_t copies = sizeOf("data");
    const std::int64_t owners = sizeOf("expert");
    if (tensors * stages >= kMostRanks || tensors * stages * copies >= kMostRanks) {
      return wrong(node.position, "are more ranks than there can be");
    }
    if (copies % owners != 0) {
      return wrong(node.position,
                   fmt::format("'expert' divides the data-parallel ranks, and {} is no multiple "
                               "of {}; groups say otherwise",
                               copies,
                               owners));
    }
    m_layout.pipeline.resize(static_cast<std::size_t>(stages));
    m_layout.data.resize(static_cast<std::size_t>(tensors * stages));
    const std::int64_t expertGroups =
        m_sizes.contains("expert") ? tensors * stages * (copies / owners) : 0;
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
    for (const auto& [key, groups] : kAxes) {
      if (const auto rank = repeatedRank(m_layout.*groups)) {
        return wrong(node.position, fmt::format("rank {} is in two places of one axis", *rank));
      }
    }
    m_layout.chunks = m_chunks.value_or(m_listed.value_or(1));
    if (m_listed && *m_listed != m_layout.chunks) {
      return wrong(node.position,
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
        node.position,
        fmt::format("'layers' has {} numbers for {} stages of 'pipeline'{}",
                    m_layout.layers.size(),
                    m_layout.stages(),
                    m_layout.chunks > 1
                        ? fmt::format(" of {} chunks each, as in [[0, 4], [2, 6]]", m_layout.chunks)
                        : ""));
  }

  [[nodiscard]] Result<> checkExperts(const YamlNode& node) const {
    if (m_layout.experts > 0 && m_layout.expert.empty()) {
      return wrong(node.position, "'experts' are divided among the ranks that 'expert' says");
    }
    for (const auto& group : m_layout.expert) {
      if (m_layout.experts % static_cast<std::int64_t>(group.size()) != 0) {
        return wrong(node.position,
                     fmt::format("{} experts are not divided evenly among {} ranks",
                                 m_layout.experts,
                                 group.size()));
      }
    }
    return {};
  }

  std::string_view m_origin;
  std::map<std::string, std::int64_t> m_sizes;  ///< numbers of ranks in place of groups, by key
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
