#include "core/text/steps/replacement_table.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>

#include "core/base/text/utf8.h"

namespace ulp::text {
namespace {

static_assert(std::endian::native == std::endian::little, "the table is stored little-endian");

/// The largest of a known model takes 0.3 MiB.
constexpr std::size_t kLargestTrie = std::size_t{16} << 20U;
constexpr std::size_t kLabels = 256;

class Unit {
 public:
  explicit Unit(std::uint32_t bits) : m_bits(bits) {}
  [[nodiscard]] bool hasLeaf() const { return (m_bits >> 8U & 1U) == 1; }
  [[nodiscard]] std::uint32_t value() const { return m_bits & 0x7FFFFFFFU; }
  [[nodiscard]] std::uint32_t label() const { return m_bits & 0x800000FFU; }
  [[nodiscard]] std::uint32_t offset() const {
    return (m_bits >> 10U) << ((m_bits & 0x200U) >> 6U);
  }

 private:
  std::uint32_t m_bits;
};

}  // namespace

Result<ReplacementTable> ReplacementTable::parse(std::string_view table) {
  std::uint32_t trieBytes = 0;
  if (table.size() < sizeof(trieBytes)) {
    return fail(ErrorCode::CorruptData, "precompiled_charsmap: too short");
  }
  std::memcpy(&trieBytes, table.data(), sizeof(trieBytes));
  table.remove_prefix(sizeof(trieBytes));
  if (trieBytes > table.size() || trieBytes < sizeof(std::uint32_t) ||
      trieBytes % sizeof(std::uint32_t) != 0 || trieBytes > kLargestTrie) {
    return fail(ErrorCode::CorruptData,
                fmt::format("precompiled_charsmap: a trie of {} bytes in {}; whole numbers of 4 "
                            "bytes, {} at most, are possible",
                            trieBytes,
                            table.size(),
                            kLargestTrie));
  }
  ReplacementTable made;
  made.m_trie.resize(trieBytes / sizeof(std::uint32_t));
  std::memcpy(made.m_trie.data(), table.data(), trieBytes);
  table.remove_prefix(trieBytes);
  if (invalidUtf8At(table)) {
    return fail(ErrorCode::CorruptData, "precompiled_charsmap: replacements are not UTF-8");
  }
  made.m_replacements = table;
  if (!made.isClosed()) {
    return fail(ErrorCode::CorruptData, "precompiled_charsmap: its trie leads out of the table");
  }
  return made;
}

bool ReplacementTable::isClosed() const {
  std::vector<bool> isSeen(m_trie.size());
  std::vector<std::size_t> open{Unit(m_trie.front()).offset()};
  while (!open.empty()) {
    // Whoever looks for a byte that is no label reads a unit all the same.
    const std::size_t children = open.back();
    open.pop_back();
    if ((children | (kLabels - 1)) >= m_trie.size()) {
      return false;
    }
    for (std::size_t label = 0; label < kLabels; ++label) {
      const std::size_t place = children ^ label;
      const Unit unit(m_trie[place]);
      if (unit.label() != label || isSeen[place]) {
        continue;
      }
      isSeen[place] = true;
      const std::size_t next = place ^ unit.offset();
      if (unit.hasLeaf() &&
          (next >= m_trie.size() || Unit(m_trie[next]).value() >= m_replacements.size())) {
        return false;
      }
      open.push_back(next);
    }
  }
  return true;
}

std::optional<std::string_view> ReplacementTable::find(std::string_view part) const {
  std::size_t node = Unit(m_trie.front()).offset();
  for (const char c : part) {
    node ^= static_cast<unsigned char>(c);
    const Unit unit(m_trie[node]);
    if (c == '\0' || unit.label() != static_cast<unsigned char>(c)) {
      return std::nullopt;
    }
    node ^= unit.offset();
    if (unit.hasLeaf()) {
      const std::string_view rest =
          std::string_view(m_replacements).substr(Unit(m_trie[node]).value());
      return rest.substr(0, rest.find('\0'));
    }
  }
  return std::nullopt;
}

}  // namespace ulp::text
