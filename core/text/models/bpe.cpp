#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

#include <queue>

#include "core/base/text/utf8.h"
#include "core/text/models/token_model.h"

namespace ulp::text {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// A part [begin, end) of the word, in a list that is linked by places.
struct Symbol {
  std::uint32_t id = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t previous = kNone;
  std::uint32_t next = kNone;
  bool isMerged = false;  ///< into the one before it
};

struct Merge {
  std::uint32_t rank = 0;
  std::uint32_t made = 0;
};

/// Two neighbours that could be merged when the candidate was found.
struct Candidate {
  std::uint32_t rank = 0;
  std::uint32_t place = 0;
  std::uint32_t made = 0;
};

/// The earliest merge first; of one merge the leftmost place.
struct IsLater {
  bool operator()(const Candidate& a, const Candidate& b) const {
    return a.rank != b.rank ? a.rank > b.rank : a.place > b.place;
  }
};

class Bpe final : public TokenModel {
 public:
  using Merges = std::unordered_map<std::uint64_t, Merge>;

  static std::uint64_t pairOf(std::uint32_t left, std::uint32_t right) {
    return std::uint64_t{left} << 32U | right;
  }

  Bpe(BpeDefinition definition, Merges merges, std::optional<std::uint32_t> unknownId)
      : TokenModel(std::move(definition.vocabulary)),
        m_merges(std::move(merges)),
        m_unknownId(unknownId),
        m_prefix(std::move(definition.continuingPrefix)),
        m_suffix(std::move(definition.endSuffix)),
        m_fuseUnknown(definition.fuseUnknown),
        m_ignoreMerges(definition.ignoreMerges) {
    m_byteIds.fill(kNone);
    for (unsigned byte = 0; definition.byteFallback && byte < m_byteIds.size(); ++byte) {
      m_byteIds.at(byte) =
          vocabulary().find(byteToken(static_cast<unsigned char>(byte))).value_or(kNone);
    }
  }

  [[nodiscard]] Result<> encode(std::string_view word,
                                std::vector<WordToken>& tokens) const override {
    if (m_ignoreMerges) {
      if (const auto id = vocabulary().find(word)) {
        tokens.push_back({*id, 0, static_cast<std::uint32_t>(word.size())});
        return {};
      }
    }
    std::vector<Symbol> symbols = symbolsOf(word);
    merge(symbols);
    for (const Symbol& symbol : symbols) {
      if (!symbol.isMerged) {
        tokens.push_back({symbol.id, symbol.begin, symbol.end});
      }
    }
    return {};
  }

 private:
  /// The word's characters, each as a token, as bytes or as unknown. An unknown one waits until the
  /// next character is known, so that several can be joined; bytes do not end the wait.
  [[nodiscard]] std::vector<Symbol> symbolsOf(std::string_view word) const {
    std::vector<Symbol> symbols;
    symbols.reserve(word.size());
    std::optional<Symbol> unknown;
    const auto addUnknown = [&] {
      if (unknown) {
        symbols.push_back(*unknown);
        unknown.reset();
      }
    };
    for (std::uint32_t begin = 0; begin < word.size();) {
      const auto end = begin + static_cast<std::uint32_t>(codePointAt(word, begin).size);
      const std::string_view character = word.substr(begin, end - begin);
      if (const auto id = find(character, begin == 0, end == word.size())) {
        addUnknown();
        symbols.push_back({*id, begin, end});
      } else if (!addBytes(character, begin, symbols) && m_unknownId) {
        if (!m_fuseUnknown) {
          addUnknown();
        }
        unknown = Symbol{*m_unknownId, unknown ? unknown->begin : begin, end};
      }
      begin = end;
    }
    addUnknown();
    return symbols;
  }

  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view character,
                                                  bool isFirst,
                                                  bool isLast) const {
    const bool hasPrefix = !isFirst && !m_prefix.empty();
    const bool hasSuffix = isLast && !m_suffix.empty();
    if (!hasPrefix && !hasSuffix) {
      return vocabulary().find(character);
    }
    return vocabulary().find(
        fmt::format("{}{}{}", hasPrefix ? m_prefix : "", character, hasSuffix ? m_suffix : ""));
  }

  bool addBytes(std::string_view character,
                std::uint32_t begin,
                std::vector<Symbol>& symbols) const {
    const auto idOf = [this](char byte) { return m_byteIds[static_cast<unsigned char>(byte)]; };
    if (std::ranges::any_of(character, [&](char byte) { return idOf(byte) == kNone; })) {
      return false;
    }
    for (const char byte : character) {
      symbols.push_back({idOf(byte), begin, begin + 1});
      ++begin;
    }
    return true;
  }

  void merge(std::vector<Symbol>& symbols) const {
    std::priority_queue<Candidate, std::vector<Candidate>, IsLater> queue;
    const auto offer = [&](std::uint32_t place) {
      const Symbol& left = symbols[place];
      const auto found = m_merges.find(pairOf(left.id, symbols[left.next].id));
      if (found != m_merges.end()) {
        queue.push({found->second.rank, place, found->second.made});
      }
    };
    const auto count = static_cast<std::uint32_t>(symbols.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      symbols[i].previous = i == 0 ? kNone : i - 1;
      symbols[i].next = i + 1 == count ? kNone : i + 1;
    }
    for (std::uint32_t i = 0; i + 1 < count; ++i) {
      offer(i);
    }
    while (!queue.empty()) {
      const Candidate top = queue.top();
      queue.pop();
      if (!isStillThere(symbols, top)) {
        continue;
      }
      Symbol& left = symbols[top.place];
      Symbol& right = symbols[left.next];
      left.id = top.made;
      left.end = right.end;
      left.next = right.next;
      right.isMerged = true;
      if (left.next != kNone) {
        symbols[left.next].previous = top.place;
        offer(top.place);
      }
      if (left.previous != kNone) {
        offer(left.previous);
      }
    }
  }

  [[nodiscard]] bool isStillThere(const std::vector<Symbol>& symbols,
                                  const Candidate& candidate) const {
    const Symbol& left = symbols[candidate.place];
    if (left.isMerged || left.next == kNone) {
      return false;
    }
    const auto found = m_merges.find(pairOf(left.id, symbols[left.next].id));
    return found != m_merges.end() && found->second.made == candidate.made;
  }

  Merges m_merges;
  std::optional<std::uint32_t> m_unknownId;
  std::string m_prefix;
  std::string m_suffix;
  bool m_fuseUnknown;
  bool m_ignoreMerges;
  std::array<std::uint32_t, 256> m_byteIds{};
};

Result<std::uint32_t> tokenOfMerge(const Vocabulary& vocabulary,
                                   std::size_t rank,
                                   std::string_view spelling) {
  if (const auto id = vocabulary.find(spelling)) {
    return *id;
  }
  return fail(ErrorCode::CorruptData,
              fmt::format("merges[{}]: '{}' is not a token of the vocabulary", rank, spelling));
}

}  // namespace

Result<TokenModelPtr> makeBpe(BpeDefinition definition) {
  Bpe::Merges merges;
  merges.reserve(definition.merges.size());
  for (std::size_t rank = 0; rank < definition.merges.size(); ++rank) {
    const auto& [left, right] = definition.merges[rank];
    if (right.size() < definition.continuingPrefix.size()) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("merges[{}]: '{}' is shorter than the prefix of what continues a "
                              "word, '{}'",
                              rank,
                              right,
                              definition.continuingPrefix));
    }
    const auto leftId = ULP_TRY(tokenOfMerge(definition.vocabulary, rank, left));
    const auto rightId = ULP_TRY(tokenOfMerge(definition.vocabulary, rank, right));
    const auto made = ULP_TRY(tokenOfMerge(
        definition.vocabulary, rank, left + right.substr(definition.continuingPrefix.size())));
    merges.insert_or_assign(Bpe::pairOf(leftId, rightId),
                            Merge{static_cast<std::uint32_t>(rank), made});
  }
  std::optional<std::uint32_t> unknownId;
  if (definition.unknownToken) {
    unknownId = ULP_TRY(definition.vocabulary.unknownId(*definition.unknownToken));
  }
  return std::make_unique<const Bpe>(std::move(definition), std::move(merges), unknownId);
}

std::string byteToken(unsigned char byte) {
  return fmt::format("<0x{:02X}>", byte);
}

}  // namespace ulp::text
