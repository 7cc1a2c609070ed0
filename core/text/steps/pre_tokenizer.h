#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/text/characters/aligned_text.h"
#include "core/text/characters/regex.h"
#include "core/text/characters/split.h"

namespace ulp::text {

/// Second step of a tokenizer: appends the words of `text`, across which no token reaches, to
/// `words`. Named as in `tokenizers.pre_tokenizers`. Errors: Unsupported (a pattern backtracks
/// beyond its limit). Of an empty one the text is one word.
using PreTokenizer =
    std::function<Result<>(const AlignedText& text, std::vector<AlignedText>& words)>;

/// Where Metaspace puts its character in front of a word that does not begin with it.
enum class PrependScheme : std::uint8_t { First, Never, Always };

/// GPT-2's pattern, which ByteLevel uses.
inline constexpr std::string_view kByteLevelPattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

/// Cuts at single characters that satisfy `isMatch(char32_t)`, which is compiled into the loop over
/// the text.
template <class IsMatch>
[[nodiscard]] PreTokenizer makeCharacterSplit(IsMatch isMatch, SplitBehavior behavior) {
  return [isMatch, behavior](const AlignedText& text, std::vector<AlignedText>& words) {
    splitInto(words, text, stretchesOf(text.text(), isMatch), behavior);
    return Result<>();
  };
}
[[nodiscard]] PreTokenizer makeSplit(Regex pattern, SplitBehavior behavior, bool invert);
/// `pattern` cuts before the bytes are spelled; none: no cuts.
[[nodiscard]] PreTokenizer makeByteLevel(std::optional<Regex> pattern, bool addPrefixSpace);
[[nodiscard]] PreTokenizer makeMetaspace(std::string replacement, PrependScheme scheme, bool split);
[[nodiscard]] PreTokenizer makeWhitespace();       ///< words and runs of symbols
[[nodiscard]] PreTokenizer makeWhitespaceSplit();  ///< at white space alone
[[nodiscard]] PreTokenizer makeBertPreTokenizer();
[[nodiscard]] PreTokenizer makeFixedLength(std::size_t characters);
[[nodiscard]] PreTokenizer makePreTokenizers(std::vector<PreTokenizer> parts);  ///< one by one

}  // namespace ulp::text
