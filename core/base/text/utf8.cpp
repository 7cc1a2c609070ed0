#include "core/base/text/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>

namespace ulp {
namespace {

/// What the table of well-formed byte sequences allows after a first byte.
struct ByteSequence {
  std::size_t size;  ///< 0: no sequence begins with that byte
  std::uint8_t secondLowest;
  std::uint8_t secondHighest;
};

ByteSequence sequenceOf(std::uint8_t first) {
  if (first < 0x80) {
    return {1, 0, 0};
  }
  if (first < 0xC2 || first > 0xF4) {
    return {0, 0, 0};
  }
  if (first < 0xE0) {
    return {2, 0x80, 0xBF};
  }
  if (first < 0xF0) {
    // E0 would be overlong below A0; ED is a surrogate from A0 on.
    return {3,
            static_cast<std::uint8_t>(first == 0xE0 ? 0xA0 : 0x80),
            static_cast<std::uint8_t>(first == 0xED ? 0x9F : 0xBF)};
  }
  return {4,
          static_cast<std::uint8_t>(first == 0xF0 ? 0x90 : 0x80),
          static_cast<std::uint8_t>(first == 0xF4 ? 0x8F : 0xBF)};
}

std::uint8_t byteAt(std::string_view text, std::size_t at) {
  return static_cast<std::uint8_t>(text[at]);
}

}  // namespace

std::size_t countCodePoints(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, isInsideOfCodePoint));
}

std::size_t wellFormedSizeAt(std::string_view text, std::size_t at) {
  const ByteSequence sequence = sequenceOf(byteAt(text, at));
  if (sequence.size == 0 || sequence.size > text.size() - at) {
    return 0;
  }
  if (sequence.size > 1) {
    const std::uint8_t second = byteAt(text, at + 1);
    if (second < sequence.secondLowest || second > sequence.secondHighest) {
      return 0;
    }
  }
  for (std::size_t i = 2; i < sequence.size; ++i) {
    if (!isInsideOfCodePoint(text[at + i])) {
      return 0;
    }
  }
  return sequence.size;
}

std::optional<std::size_t> invalidUtf8At(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t size = wellFormedSizeAt(text, at);
    if (size == 0) {
      return at;
    }
    at += size;
  }
  return std::nullopt;
}

Result<> checkUtf8(std::string_view content, std::string_view file) {
  const auto at = invalidUtf8At(content);
  if (!at) {
    return {};
  }
  const std::string_view before = content.substr(0, *at);
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  return fail(ErrorCode::CorruptData,
              fmt::format("{}:{}:{}: the byte 0x{:02X} is not UTF-8, so that saving would change "
                          "it; convert the file to UTF-8 with the editor that wrote it",
                          file,
                          std::ranges::count(before, '\n') + 1,
                          countCodePoints(line) + 1,
                          byteAt(content, *at)));
}

CodePoint codePointAt(std::string_view text, std::size_t at) {
  constexpr std::array<std::uint32_t, 5> kFirstMask{0, 0x7F, 0x1F, 0x0F, 0x07};
  const std::size_t size = sequenceOf(byteAt(text, at)).size;
  std::uint32_t value = byteAt(text, at) & kFirstMask.at(size);
  for (std::size_t i = 1; i < size; ++i) {
    value = value << 6U | (byteAt(text, at + i) & 0x3FU);
  }
  return {value, size};
}

std::size_t codePointBefore(std::string_view text, std::size_t end) {
  std::size_t at = end - 1;
  while (at > 0 && isInsideOfCodePoint(text[at])) {
    --at;
  }
  return at;
}

void appendUtf8(std::string& to, char32_t codePoint) {
  const std::uint32_t value = codePoint;
  const auto push = [&to](std::uint32_t byte) { to += static_cast<char>(byte); };
  if (value < 0x80) {
    push(value);
    return;
  }
  if (value < 0x800) {
    push(0xC0U | value >> 6U);
  } else if (value < 0x10000) {
    push(0xE0U | value >> 12U);
    push(0x80U | (value >> 6U & 0x3FU));
  } else {
    push(0xF0U | value >> 18U);
    push(0x80U | (value >> 12U & 0x3FU));
    push(0x80U | (value >> 6U & 0x3FU));
  }
  push(0x80U | (value & 0x3FU));
}

std::string validUtf8(std::string_view text) {
  std::string valid;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = wellFormedSizeAt(text, at);
    if (size == 0) {
      appendUtf8(valid, 0xFFFD);
      ++at;
    } else {
      valid += text.substr(at, size);
      at += size;
    }
  }
  return valid;
}

}  // namespace ulp
