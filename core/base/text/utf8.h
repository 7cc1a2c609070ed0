#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace ulp {

struct CodePoint {
  char32_t value = 0;
  std::size_t size = 1;  ///< bytes that it takes in UTF-8
};

/// Tells whether a byte lies inside of a code point, not at its beginning.
[[nodiscard]] constexpr bool isInsideOfCodePoint(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}
/// Counts the code points of well-formed text.
[[nodiscard]] std::size_t countCodePoints(std::string_view text);

/// Place of the first byte that is not part of well-formed UTF-8 (Unicode, table 3-7), if any.
[[nodiscard]] std::optional<std::size_t> invalidUtf8At(std::string_view text);

/// Refuses the content of a file that will be written again and is not UTF-8: other bytes would not
/// come back. Error: CorruptData with line and column of the first one.
[[nodiscard]] Result<> checkUtf8(std::string_view content, std::string_view file);

/// Bytes of the well-formed sequence at `at`, which is inside of `text`; 0 where there is none.
[[nodiscard]] std::size_t wellFormedSizeAt(std::string_view text, std::size_t at);

/// The code point that begins at `at`, which must be inside of well-formed `text`.
[[nodiscard]] CodePoint codePointAt(std::string_view text, std::size_t at);

/// Finds where the code point begins that ends before `end`, which must not be 0.
[[nodiscard]] std::size_t codePointBefore(std::string_view text, std::size_t end);

void appendUtf8(std::string& to, char32_t codePoint);
/// Returns the text with U+FFFD for each byte that is not part of well-formed UTF-8.
[[nodiscard]] std::string validUtf8(std::string_view text);

}  // namespace ulp
