#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <optional>

#include "core/base/text/utf8.h"
#include "core/text/steps/normalizer.h"

namespace ulp::text {
namespace {

static_assert(std::endian::native == std::endian::little, "the table is stored little-endian");

/// A unit of a double-array trie as the library Darts-clone packs it.
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

/// sentencepiece's replacements: a trie of what is replaced, whose values are places in a list of
/// texts that end with NUL.
class Precompiled {
 public:
  Precompiled(std::vector<std::uint32_t> trie, std::string replacements)
      : m_trie(std::move(trie)), m_replacements(std::move(replacements)) {}

  [[nodiscard]] Result<AlignedText> operator()(const AlignedText& text) const {
    const auto ends = ULP_TRY(graphemeEnds(text.text()));
    AlignedWriter writer(text);
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      applyToGrapheme(text.text(), begin, end, writer);
      begin = end;
    }
    return writer.take();
  }

 private:
  /// Longer clusters are not looked up as a whole.
  static constexpr std::size_t kLongestCluster = 5;

  void applyToGrapheme(std::string_view text,
                       std::size_t begin,
                       std::size_t end,
                       AlignedWriter& writer) const {
    if (end - begin <= kLongestCluster) {
      if (const auto with = find(text.substr(begin, end - begin))) {
        writer.put(*with, begin, end);
        return;
      }
    }
    for (std::size_t at = begin; at < end;) {
      const std::size_t next = at + codePointAt(text, at).size;
      if (const auto with = find(text.substr(at, next - at))) {
        writer.put(*with, at, next);
      } else {
        writer.keep(at, next);
      }
      at = next;
    }
  }

  /// What replaces the shortest entry that `part` begins with. Not the longest: the models were
  /// trained with that.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view part) const {
    std::size_t node = Unit(m_trie.front()).offset();
    for (const char c : part) {
      node ^= static_cast<unsigned char>(c);
      if (c == '\0' || node >= m_trie.size()) {
        return std::nullopt;
      }
      const Unit unit(m_trie[node]);
      if (unit.label() != static_cast<unsigned char>(c)) {
        return std::nullopt;
      }
      node ^= unit.offset();
      if (unit.hasLeaf()) {
        return replacementAt(node);
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::string_view> replacementAt(std::size_t node) const {
    if (node >= m_trie.size() || Unit(m_trie[node]).value() >= m_replacements.size()) {
      return std::nullopt;
    }
    const std::string_view rest =
        std::string_view(m_replacements).substr(Unit(m_trie[node]).value());
    return rest.substr(0, rest.find('\0'));
  }

  std::vector<std::uint32_t> m_trie;
  std::string m_replacements;
};

}  // namespace

Result<Normalizer> makePrecompiled(std::string_view table) {
  std::uint32_t trieBytes = 0;
  if (table.size() < sizeof(trieBytes)) {
    return fail(ErrorCode::CorruptData, "precompiled_charsmap: too short");
  }
  std::memcpy(&trieBytes, table.data(), sizeof(trieBytes));
  table.remove_prefix(sizeof(trieBytes));
  if (trieBytes > table.size() || trieBytes < sizeof(std::uint32_t) ||
      trieBytes % sizeof(std::uint32_t) != 0) {
    return fail(
        ErrorCode::CorruptData,
        fmt::format("precompiled_charsmap: a trie of {} bytes in {}", trieBytes, table.size()));
  }
  std::vector<std::uint32_t> trie(trieBytes / sizeof(std::uint32_t));
  std::memcpy(trie.data(), table.data(), trieBytes);
  table.remove_prefix(trieBytes);
  if (invalidUtf8At(table)) {
    return fail(ErrorCode::CorruptData, "precompiled_charsmap: replacements are not UTF-8");
  }
  return Normalizer(Precompiled(std::move(trie), std::string(table)));
}

}  // namespace ulp::text
