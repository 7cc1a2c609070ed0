#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/text/characters/aligned_text.h"
#include "core/text/characters/regex.h"
#include "core/text/characters/split.h"

namespace ulp::text {

/// Second step of a tokenizer: cuts a text into words, across which no token reaches. Named as in
/// `tokenizers.pre_tokenizers`.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  /// Appends the words of `text` to `words`. Errors: Unsupported (a pattern backtracks beyond its
  /// limit).
  [[nodiscard]] virtual Result<> split(const AlignedText& text,
                                       std::vector<AlignedText>& words) const = 0;

 protected:
  PreTokenizer() = default;
  PreTokenizer(const PreTokenizer&) = default;
  PreTokenizer& operator=(const PreTokenizer&) = default;
};

using PreTokenizerPtr = std::unique_ptr<const PreTokenizer>;

/// Where Metaspace puts its character in front of a word that does not begin with it.
enum class PrependScheme : std::uint8_t { First, Never, Always };

/// GPT-2's pattern, which ByteLevel uses.
[[nodiscard]] std::string_view byteLevelPattern();

[[nodiscard]] PreTokenizerPtr makeSplit(Regex pattern, SplitBehavior behavior, bool invert);
/// `pattern` cuts before the bytes are spelled; none: no cuts.
[[nodiscard]] PreTokenizerPtr makeByteLevel(std::unique_ptr<const Regex> pattern,
                                            bool addPrefixSpace);
[[nodiscard]] PreTokenizerPtr makeMetaspace(std::string replacement,
                                            PrependScheme scheme,
                                            bool split);
[[nodiscard]] PreTokenizerPtr makeDigits(bool individually);
[[nodiscard]] PreTokenizerPtr makePunctuation(SplitBehavior behavior);
[[nodiscard]] PreTokenizerPtr makeWhitespace();       ///< words and runs of symbols
[[nodiscard]] PreTokenizerPtr makeWhitespaceSplit();  ///< at white space alone
[[nodiscard]] PreTokenizerPtr makeBertPreTokenizer();
[[nodiscard]] PreTokenizerPtr makeDelimiterSplit(char32_t delimiter);
[[nodiscard]] PreTokenizerPtr makeFixedLength(std::size_t characters);
[[nodiscard]] PreTokenizerPtr makePreTokenizers(std::vector<PreTokenizerPtr> parts);

}  // namespace ulp::text
