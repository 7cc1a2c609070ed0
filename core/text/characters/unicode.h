#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/text/characters/aligned_text.h"

/// Properties of characters and normal forms, from ICU.
namespace ulp::text {

[[nodiscard]] bool isWhiteSpace(char32_t c);      ///< property White_Space
[[nodiscard]] bool isNumeric(char32_t c);         ///< category N
[[nodiscard]] bool isPunctuation(char32_t c);     ///< category P, or a symbol of ASCII
[[nodiscard]] bool isMark(char32_t c);            ///< category M
[[nodiscard]] bool isNonspacingMark(char32_t c);  ///< category Mn
/// Control, format or private use, as the tables of Unicode 8 have it, by which tokenizers clean.
[[nodiscard]] bool isControl(char32_t c);
/// Tells whether `\w` matches (UTS 18, annex C).
[[nodiscard]] bool isWordCharacter(char32_t c);
/// Finds where the white space begins that ends before `end`.
[[nodiscard]] std::size_t beginOfBlanks(std::string_view text, std::size_t end);
/// Finds where the white space ends that begins at `begin`.
[[nodiscard]] std::size_t endOfBlanks(std::string_view text, std::size_t begin);

/// Appends the lower case of one character without looking at its neighbours.
void appendLowercase(std::string& to, char32_t c);

enum class NormalForm : std::uint8_t { Nfc, Nfd, Nfkc, Nfkd };

/// A character that is composed of several, or the other way round, comes from all of them. Errors:
/// Internal (ICU has no data).
[[nodiscard]] Result<AlignedText> normalized(const AlignedText& text, NormalForm form);

/// Ends of the grapheme clusters (UAX 29, extended) of `text`, ascending. Errors: Internal.
[[nodiscard]] Result<std::vector<std::size_t>> graphemeEnds(std::string_view text);

}  // namespace ulp::text
