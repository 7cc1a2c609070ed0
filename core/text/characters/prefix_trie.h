#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace ulp::text {

/// A set of byte strings, each with a number, that finds those which a text begins with.
class PrefixTrie {
 public:
  PrefixTrie() = default;
  /// Builds the tree. Of a key that occurs twice the last number counts; empty keys are left out.
  explicit PrefixTrie(std::vector<std::pair<std::string_view, std::uint32_t>> keys);

  /// Calls `onKey(length, number)` for every key that `text` begins with, the shortest first.
  template <class OnKey>
  void forEachPrefix(std::string_view text, const OnKey& onKey) const {
    std::uint32_t node = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto next = child(node, static_cast<unsigned char>(text[i]));
      if (!next) {
        return;
      }
      node = *next;
      if (m_nodes[node].number != kNoNumber) {
        onKey(i + 1, m_nodes[node].number);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNoNumber = 0xFFFFFFFF;

  struct Node {
    std::uint32_t firstChild = 0;  ///< its children lie side by side, ascending by label
    std::uint16_t children = 0;
    unsigned char label = 0;
    std::uint32_t number = kNoNumber;
  };

  [[nodiscard]] std::optional<std::uint32_t> child(std::uint32_t node, unsigned char label) const;

  std::vector<Node> m_nodes{Node{}};
};

}  // namespace ulp::text
