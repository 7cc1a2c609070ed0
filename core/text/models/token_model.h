#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/interface.h"
#include "core/base/result.h"

namespace ulp::text {

/// Hash that looks texts up without copying them.
struct TextHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): the standard's name
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

/// Tokens as a vocabulary spells them, and their numbers (vocabulary.cpp).
class Vocabulary {
 public:
  /// Ids above it are taken for damage: no model has so large an embedding.
  static constexpr std::int64_t kLargestId = (std::int64_t{1} << 24) - 1;

  /// A number that is given twice is CorruptData, as is one below 0 or above kLargestId. A spelling
  /// that is given twice stands for the number that comes last.
  [[nodiscard]] static Result<Vocabulary> create(
      std::vector<std::pair<std::string, std::int64_t>> tokens);

  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view spelling) const;
  /// Finds the token that stands for what is unknown. Error: CorruptData (it is not there).
  [[nodiscard]] Result<std::uint32_t> unknownId(std::string_view spelling) const;
  /// Empty where no token has that number.
  [[nodiscard]] std::string_view spelling(std::int64_t id) const;
  [[nodiscard]] bool holds(std::int64_t id) const { return spellingOf(id) != nullptr; }
  [[nodiscard]] std::size_t count() const { return m_spellings.size(); }
  /// One more than the largest number.
  [[nodiscard]] std::int64_t size() const {
    return m_spellings.empty() ? 0 : m_spellings.back().first + 1;
  }

 private:
  /// Null where no token has that number.
  [[nodiscard]] const std::string* spellingOf(std::int64_t id) const;

  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> m_ids;
  std::vector<std::pair<std::int64_t, std::string>> m_spellings;  ///< ascending by number
};

/// A token of a word: its number, and the bytes [begin, end) of the word that it stands for.
struct WordToken {
  std::uint32_t id = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Third step of a tokenizer: cuts a word into tokens of a vocabulary. Named as in
/// `tokenizers.models`. Immutable, safe to use from several threads.
class TokenModel : public Interface {
 public:
  explicit TokenModel(Vocabulary vocabulary) : m_vocabulary(std::move(vocabulary)) {}

  /// Appends the tokens of a word that is not empty and well-formed UTF-8. Errors: InvalidArgument
  /// (a character that the vocabulary cannot write, and no token for what is unknown).
  [[nodiscard]] virtual Result<> encode(std::string_view word,
                                        std::vector<WordToken>& tokens) const = 0;
  [[nodiscard]] const Vocabulary& vocabulary() const { return m_vocabulary; }

 private:
  Vocabulary m_vocabulary;
};

using TokenModelPtr = std::unique_ptr<const TokenModel>;

struct BpeDefinition {
  Vocabulary vocabulary;
  std::vector<std::pair<std::string, std::string>> merges;  ///< the first goes first
  std::optional<std::string> unknownToken;
  std::string continuingPrefix;  ///< of every character but a word's first
  std::string endSuffix;         ///< of a word's last character
  bool fuseUnknown = false;      ///< unknown characters in a row are one token
  bool byteFallback = false;     ///< unknown characters are written as <0x00> to <0xFF>
  bool ignoreMerges = false;     ///< a word that is a token is that token
};

/// Byte-pair encoding: merges pairs of tokens, in the order of the list, until none is left; in
/// O(n log n) of the word's length. Errors: CorruptData (a merge names a token that is unknown, or
/// makes one, or the unknown token is not there).
[[nodiscard]] Result<TokenModelPtr> makeBpe(BpeDefinition definition);

struct UnigramDefinition {
  Vocabulary vocabulary;
  std::vector<double> scores;  ///< log-probability of each id
  std::optional<std::uint32_t> unknownId;
  bool byteFallback = false;
};

/// The segmentation of largest probability, by Viterbi. Errors: CorruptData (no vocabulary, unknown
/// id beyond it).
[[nodiscard]] Result<TokenModelPtr> makeUnigram(UnigramDefinition definition);

struct WordPieceDefinition {
  Vocabulary vocabulary;
  std::string unknownToken;
  std::string continuingPrefix;
  std::size_t longestWord = 100;  ///< characters; a longer word is unknown
};

/// Longest match first, from left to right. Errors: CorruptData (the unknown token is not there).
[[nodiscard]] Result<TokenModelPtr> makeWordPiece(WordPieceDefinition definition);

/// "<0x0A>", the token that stands for a byte.
[[nodiscard]] std::string byteToken(unsigned char byte);

}  // namespace ulp::text
