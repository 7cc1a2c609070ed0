#include "core/text/characters/narrow_text.h"

#include "core/text/characters/utf8.h"

namespace ulp::text {
namespace {

constexpr char kOther = '\x7F';

/// str.isspace() of Python.
bool isSpace(char32_t c) {
  constexpr char32_t kNextLine = 0x85;
  constexpr char32_t kNoBreak = 0xA0;
  constexpr char32_t kOgham = 0x1680;
  constexpr char32_t kNarrowNoBreak = 0x202F;
  constexpr char32_t kMathematical = 0x205F;
  constexpr char32_t kIdeographic = 0x3000;
  return c == '\v' || c == '\f' || (c >= 0x1C && c <= 0x1F) || c == kNextLine || c == kNoBreak ||
         c == kOgham || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == kNarrowNoBreak || c == kMathematical || c == kIdeographic;
}

}  // namespace

std::string narrowed(const std::string& text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = codePointAt(text, at);
    if (isSpace(point.value)) {
      result += ' ';
    } else {
      result += point.size == 1 ? text[at] : kOther;
    }
    at += point.size;
  }
  return result;
}

}  // namespace ulp::text
