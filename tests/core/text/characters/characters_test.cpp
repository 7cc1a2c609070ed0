#include <cctype>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/characters/aligned_text.h"
#include "core/text/characters/byte_alphabet.h"
#include "core/text/characters/prefix_trie.h"
#include "core/text/characters/regex.h"
#include "core/text/characters/split.h"
#include "core/text/characters/unicode.h"

namespace ulp::text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::pair<std::uint32_t, std::uint32_t> source(const AlignedText& text,
                                               std::size_t begin,
                                               std::size_t end) {
  const ByteSpan span = text.sourceOf(begin, end);
  return {span.begin, span.end};
}

TEST(AlignedText, KnowsWhereItsBytesCameFrom) {
  const AlignedText whole("abcdef");
  const AlignedText part = whole.slice(2, 5);
  EXPECT_EQ(part.text(), "cde");
  EXPECT_EQ(source(part, 1, 3), std::pair(3U, 5U));
  EXPECT_EQ(source(part, 3, 3), std::pair(5U, 5U));
  AlignedWriter writer(part);
  writer.keep(0, 1);
  writer.put("XY", 1, 2);
  writer.keep(2, 3);
  const auto made = writer.take();
  ASSERT_TRUE(made);
  EXPECT_EQ(made->text(), "cXYe");
  EXPECT_EQ(source(*made, 0, 1), std::pair(2U, 3U));
  EXPECT_EQ(source(*made, 2, 3), std::pair(3U, 4U));
  EXPECT_EQ(source(*made, 0, 4), std::pair(2U, 5U));
  EXPECT_EQ(source(*made, 1, 1), std::pair(3U, 3U));
  EXPECT_EQ(source(*made, 4, 4), std::pair(5U, 5U)) << "behind the last";
  const AlignedText last = made->slice(2, 4);
  EXPECT_EQ(last.text(), "Ye");
  EXPECT_EQ(source(last, 0, 1), std::pair(3U, 4U));
  EXPECT_EQ(source(last, 1, 2), std::pair(4U, 5U));
}

TEST(AlignedText, GrowsBy32TimesAnd256BytesAtMost) {
  const AlignedText three("abc");
  const auto put = [&](std::size_t size) {
    AlignedWriter writer(three);
    writer.keep(0, 3);
    writer.put(std::string(size - 3, 'x'), 2, 3);
    return writer.take();
  };
  const std::size_t most = 256 + 32 * 3;
  ASSERT_TRUE(put(most));
  EXPECT_EQ(put(most)->text().size(), most);
  ASSERT_FALSE(put(most + 1));
  EXPECT_EQ(put(most + 1).error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(put(most + 1).error().message(), HasSubstr("makes more than 352 bytes"));
}

TEST(ByteAlphabet, WritesEveryByteWithACharacterOfItsOwn) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) {
    all += static_cast<char>(byte);
  }
  EXPECT_EQ(bytesOfSpelling(spellingOfBytes(all)), all);
  EXPECT_EQ(byteCharacter(' '), "\u0120");
  EXPECT_EQ(byteCharacter('\0'), "\u0100");
  EXPECT_EQ(byteCharacter('!'), "!");
  EXPECT_EQ(byteCharacter('~'), "~");
  EXPECT_EQ(byteCharacter(0x7F), "\u0121");
  EXPECT_EQ(byteCharacter(0xA0), "\u0142");
  EXPECT_EQ(byteCharacter(0xA1), "\u00A1");
  EXPECT_EQ(byteCharacter(0xAD), "\u0143");
  EXPECT_EQ(byteCharacter(0xFF), "\u00FF");
  EXPECT_EQ(bytesOfSpelling("\u0143\u0120"), "\xAD ");
  EXPECT_EQ(bytesOfSpelling("\u0144"), std::nullopt);
  EXPECT_EQ(bytesOfSpelling(" "), std::nullopt) << "a space is written otherwise";
}

std::vector<std::pair<std::size_t, std::uint32_t>> prefixesIn(const PrefixTrie& trie,
                                                              std::string_view text) {
  std::vector<std::pair<std::size_t, std::uint32_t>> found;
  trie.forEachPrefix(
      text, [&](std::size_t length, std::uint32_t number) { found.emplace_back(length, number); });
  return found;
}

TEST(PrefixTrie, FindsEveryKeyThatATextBeginsWith) {
  const PrefixTrie trie(
      {{"ab", 1}, {"abcd", 2}, {"b", 3}, {"", 4}, {"ab", 5}, {"\xFFz", 6}, {"a~", 7}});
  EXPECT_THAT(prefixesIn(trie, "abcde"), ElementsAre(std::pair(2, 5), std::pair(4, 2)));
  EXPECT_THAT(prefixesIn(trie, "b"), ElementsAre(std::pair(1, 3)));
  EXPECT_THAT(prefixesIn(trie, "\xFFzz"), ElementsAre(std::pair(2, 6)));
  EXPECT_THAT(prefixesIn(trie, "a~"), ElementsAre(std::pair(2, 7)));
  EXPECT_THAT(prefixesIn(trie, "abc"), ElementsAre(std::pair(2, 5)));
  EXPECT_THAT(prefixesIn(trie, "c"), testing::IsEmpty());
  EXPECT_THAT(prefixesIn(PrefixTrie(), "a"), testing::IsEmpty());
}

std::vector<std::string> partsOf(const std::string& text, SplitBehavior behavior) {
  std::vector<AlignedText> parts;
  splitInto(
      parts, AlignedText(text), stretchesOf(text, [](char32_t c) { return c == U'-'; }), behavior);
  std::vector<std::string> texts;
  for (const AlignedText& part : parts) {
    texts.push_back(part.text());
  }
  return texts;
}

TEST(Split, EveryBehaviourKeepsItsPartsOfTheText) {
  EXPECT_THAT(partsOf("a--b", SplitBehavior::Removed), ElementsAre("a", "b"));
  EXPECT_THAT(partsOf("a--b", SplitBehavior::Isolated), ElementsAre("a", "-", "-", "b"));
  EXPECT_THAT(partsOf("a--b", SplitBehavior::MergedWithPrevious), ElementsAre("a-", "-", "b"));
  EXPECT_THAT(partsOf("a--b", SplitBehavior::MergedWithNext), ElementsAre("a", "-", "-b"));
  EXPECT_THAT(partsOf("a--b", SplitBehavior::Contiguous), ElementsAre("a", "--", "b"));
  EXPECT_THAT(partsOf("-a-", SplitBehavior::MergedWithPrevious), ElementsAre("-", "a-"));
  EXPECT_THAT(partsOf("-a-", SplitBehavior::MergedWithNext), ElementsAre("-a", "-"));
}

std::vector<std::string> stretchesBy(std::string_view pattern, std::string_view text) {
  std::vector<std::string> shown;
  const auto stretches = Regex::compile(pattern)->stretches(text);
  EXPECT_TRUE(stretches);
  for (const Stretch& each : *stretches) {
    shown.push_back(std::string(text.substr(each.begin, each.end - each.begin)) +
                    (each.isMatch ? "!" : ""));
  }
  return shown;
}

TEST(TokenizerRegex, MatchesAndWhatLiesBetweenCoverTheText) {
  EXPECT_THAT(stretchesBy("b+", "abbcb"), ElementsAre("a", "bb!", "c", "b!"));
  EXPECT_THAT(stretchesBy("x", "ab"), ElementsAre("ab"));
  EXPECT_THAT(stretchesBy("b*", "abc"), ElementsAre("!", "a", "b!", "c", "!"));
  EXPECT_THAT(stretchesBy("a", ""), testing::IsEmpty());
  EXPECT_THAT(stretchesBy(escapedForRegex("(.)+-~"), "a(.)+-~b"), ElementsAre("a", "(.)+-~!", "b"));
}

TEST(UnicodeProperties, OfEveryAsciiCharacter) {
  for (char32_t c = 0; c < 0x80; ++c) {
    const auto byte = static_cast<int>(c);
    EXPECT_EQ(isPunctuation(c), std::ispunct(byte) != 0) << byte;
    EXPECT_EQ(isNumeric(c), std::isdigit(byte) != 0) << byte;
    EXPECT_EQ(isWhiteSpace(c), std::isspace(byte) != 0) << byte;
    EXPECT_EQ(isControl(c), std::iscntrl(byte) != 0) << byte;
    EXPECT_EQ(isWordCharacter(c), std::isalnum(byte) != 0 || c == U'_') << byte;
    EXPECT_FALSE(isMark(c)) << byte;
    std::string lower;
    appendLowercase(lower, c);
    EXPECT_EQ(lower, std::string(1, static_cast<char>(std::tolower(byte)))) << byte;
  }
}

TEST(UnicodeProperties, OfOthers) {
  EXPECT_TRUE(isMark(0x301) && isNonspacingMark(0x301));
  EXPECT_TRUE(isMark(0x903) && !isNonspacingMark(0x903));
  EXPECT_TRUE(isWordCharacter(0x200C) && isWordCharacter(0x200D) && isWordCharacter(0x301));
  EXPECT_FALSE(isWordCharacter(0x200B) || isWordCharacter(0x200E));
  EXPECT_TRUE(isPunctuation(0x3001) && isNumeric(0xBD) && isControl(0x200B));
  std::string lower;
  appendLowercase(lower, 0x130);
  EXPECT_EQ(lower, "i\u0307");
  EXPECT_EQ(beginOfBlanks("a \u00A0b", 4), 1U);
  EXPECT_EQ(beginOfBlanks("  ", 2), 0U);
  EXPECT_EQ(beginOfBlanks("a", 1), 1U);
  EXPECT_EQ(endOfBlanks("a \u00A0b", 1), 4U);
  EXPECT_EQ(endOfBlanks("a ", 1), 2U);
}

TEST(UnicodeNormalForms, ComposedCharactersComeFromAllTheirParts) {
  const AlignedText text("ae\u0301b");
  const auto composed = normalized(text, NormalForm::Nfc);
  ASSERT_TRUE(composed);
  EXPECT_EQ(composed->text(), "a\u00E9b");
  EXPECT_EQ(source(*composed, 0, 1), std::pair(0U, 1U));
  EXPECT_EQ(source(*composed, 1, 3), std::pair(1U, 4U));
  EXPECT_EQ(source(*composed, 3, 4), std::pair(4U, 5U));
  EXPECT_EQ(normalized(AlignedText("\uFB01"), NormalForm::Nfkd)->text(), "fi");
  EXPECT_EQ(normalized(AlignedText("\uFB01"), NormalForm::Nfd)->text(), "\uFB01");
  EXPECT_THAT(*graphemeEnds("e\u0301a"), ElementsAre(3, 4));
}

}  // namespace
}  // namespace ulp::text
