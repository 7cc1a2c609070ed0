#include "core/base/text/visible_text.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/text/utf8.h"

namespace ulp {
namespace {

bool isControl(char32_t c) {
  return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c <= 0x9F);
}

/// Marks that turn the direction of the text behind them, separators of lines and paragraphs,
/// spaces and hyphens without width, tags, and what no XML may hold.
bool isInvisible(char32_t c) {
  return c == 0x00AD || c == 0x061C || c == 0x200B || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x2064) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF || c == 0xFFFE || c == 0xFFFF ||
         (c >= 0xE0000 && c <= 0xE007F);
}

}  // namespace

std::string visibleText(std::string_view text) {
  std::string visible;
  visible.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = wellFormedSizeAt(text, at);
    if (size == 0) {
      visible += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
      ++at;
      continue;
    }
    const char32_t c = codePointAt(text, at).value;
    if (isControl(c)) {
      visible += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c));
    } else if (isInvisible(c)) {
      visible += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
    } else {
      visible += text.substr(at, size);
    }
    at += size;
  }
  return visible;
}

std::string visibleLine(std::string_view text) {
  std::string line = visibleText(text);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

std::string escapedMarkup(std::string_view text) {
  std::string out;
  for (const char c : visibleText(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace ulp
