#include "core/text/characters/prefix_trie.h"

#include <algorithm>

namespace ulp::text {
namespace {

/// Keys [begin, end) agree in their first `depth` bytes, those that lead to `node`.
struct Group {
  std::uint32_t node = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t depth = 0;
};

}  // namespace

PrefixTrie::PrefixTrie(std::vector<std::pair<std::string_view, std::uint32_t>> keys) {
  std::stable_sort(
      keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Group> groups{{0, 0, keys.size(), 0}};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Group group = groups[g];
    std::size_t i = group.begin;
    for (; i < group.end && keys[i].first.size() == group.depth; ++i) {
      m_nodes[group.node].number = group.depth == 0 ? kNoNumber : keys[i].second;
    }
    m_nodes[group.node].firstChild = static_cast<std::uint32_t>(m_nodes.size());
    while (i < group.end) {
      const char label = keys[i].first[group.depth];
      const std::size_t begin = i;
      while (i < group.end && keys[i].first[group.depth] == label) {
        ++i;
      }
      ++m_nodes[group.node].children;
      groups.push_back({static_cast<std::uint32_t>(m_nodes.size()), begin, i, group.depth + 1});
      m_nodes.push_back({.label = static_cast<unsigned char>(label)});
    }
  }
}

std::optional<std::uint32_t> PrefixTrie::child(std::uint32_t node, unsigned char label) const {
  const auto begin = m_nodes.begin() + m_nodes[node].firstChild;
  const auto end = begin + m_nodes[node].children;
  const auto found = std::lower_bound(
      begin, end, label, [](const Node& a, unsigned char wanted) { return a.label < wanted; });
  if (found == end || found->label != label) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(found - m_nodes.begin());
}

}  // namespace ulp::text
