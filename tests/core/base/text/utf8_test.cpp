#include "core/base/text/utf8.h"

#include <map>
#include <utility>

#include <gtest/gtest.h>

namespace ulp {
namespace {

constexpr char32_t kEnd = 0x110000;

bool isSurrogate(char32_t value) {
  return value >= 0xD800 && value < 0xE000;
}

std::string utf8Of(char32_t value) {
  std::string text;
  appendUtf8(text, value);
  return text;
}

TEST(Utf8, EveryCodePointIsReadAsItWasWritten) {
  for (char32_t value = 0; value < kEnd; ++value) {
    if (isSurrogate(value)) {
      continue;
    }
    const std::string text = utf8Of(value);
    const std::size_t size = value < 0x80 ? 1U : value < 0x800 ? 2U : value < 0x10000 ? 3U : 4U;
    ASSERT_EQ(text.size(), size) << std::size_t{value};
    ASSERT_EQ(wellFormedSizeAt(text, 0), size) << std::size_t{value};
    const CodePoint read = codePointAt(text, 0);
    ASSERT_EQ(read.value, value);
    ASSERT_EQ(read.size, size);
    ASSERT_EQ(codePointBefore("a" + text, size + 1), 1U) << std::size_t{value};
  }
}

TEST(Utf8, NothingElseIsWellFormed) {
  // The first two bytes of every code point, and how many it has.
  std::map<std::pair<int, int>, std::size_t> beginnings;
  for (char32_t value = 0x80; value < kEnd; ++value) {
    if (!isSurrogate(value)) {
      const std::string text = utf8Of(value);
      beginnings[{text[0], text[1]}] = text.size();
    }
  }
  for (int first = -128; first < 0; ++first) {
    for (int second = -128; second < 128; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second), '\x80', '\x80'};
      const auto found = beginnings.find({first, second});
      const std::size_t size = found == beginnings.end() ? 0 : found->second;
      ASSERT_EQ(wellFormedSizeAt(text, 0), size) << first << ' ' << second;
      for (std::size_t kept = 1; kept < size; ++kept) {
        EXPECT_EQ(wellFormedSizeAt(text.substr(0, kept), 0), 0U) << first << ' ' << second;
        EXPECT_EQ(wellFormedSizeAt(text.substr(0, kept) + "a~~~", 0), 0U) << first << ' ' << second;
      }
    }
  }
}

TEST(Utf8, TheFirstByteThatIsNoneIsFound) {
  EXPECT_EQ(invalidUtf8At("a\xC3\xA4"), std::nullopt);
  EXPECT_EQ(invalidUtf8At("a\xC3\xA4\xC3"), 3U);
  EXPECT_EQ(invalidUtf8At("\xFFz"), 0U);
}

TEST(Utf8, ACodePointBeforeAnotherIsFound) {
  const std::string text = "\xC3\xA4z\xE2\x80\xA6";
  EXPECT_EQ(codePointBefore(text, 6), 3U);
  EXPECT_EQ(codePointBefore(text, 3), 2U);
  EXPECT_EQ(codePointBefore(text, 2), 0U);
  EXPECT_EQ(codePointBefore("\x80", 1), 0U);
}

TEST(CountCodePoints, CountsBeginningsAlone) {
  EXPECT_EQ(countCodePoints(""), 0U);
  EXPECT_EQ(countCodePoints("a\xC3\xA4\xE2\x80\xA6z"), 4U);
}

TEST(ValidUtf8, EachByteThatIsNoneIsReplaced) {
  EXPECT_EQ(validUtf8("a\xC3\xA4"), "a\xC3\xA4");
  EXPECT_EQ(validUtf8("a\xFF\xC3z"), "a\xEF\xBF\xBD\xEF\xBF\xBDz");
  EXPECT_EQ(validUtf8(""), "");
}

}  // namespace
}  // namespace ulp
