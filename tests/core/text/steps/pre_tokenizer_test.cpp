#include "core/text/steps/pre_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/characters/unicode.h"

namespace ulp::text {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> wordsOf(const PreTokenizer& cut, const AlignedText& text) {
  std::vector<AlignedText> words;
  const auto isCut = cut(text, words);
  EXPECT_TRUE(isCut) << isCut.error().message();
  std::vector<std::string> texts;
  for (const AlignedText& word : words) {
    texts.push_back(word.text());
  }
  return texts;
}

std::vector<std::string> wordsOf(const PreTokenizer& cut, const std::string& text) {
  return wordsOf(cut, AlignedText(text));
}

Regex regex(std::string_view pattern) {
  return Regex::compile(pattern).value();
}

TEST(PreTokenizers, CutAtBlanksAndBetweenWordsAndSymbols) {
  const std::string text = " Hello, w\u00F6rld!! x_1";
  EXPECT_THAT(wordsOf(makeWhitespace(), text),
              ElementsAre("Hello", ",", "w\u00F6rld", "!!", "x_1"));
  EXPECT_THAT(wordsOf(makeWhitespaceSplit(), text), ElementsAre("Hello,", "w\u00F6rld!!", "x_1"));
  EXPECT_THAT(wordsOf(makeBertPreTokenizer(), text),
              ElementsAre("Hello", ",", "w\u00F6rld", "!", "!", "x", "_", "1"));
  EXPECT_THAT(wordsOf(makeWhitespace(), "  "), IsEmpty());
}

TEST(PreTokenizers, CutPiecesOfOneLength) {
  EXPECT_THAT(wordsOf(makeFixedLength(2), "a\u00E9bcd"), ElementsAre("a\u00E9", "bc", "d"));
  EXPECT_THAT(wordsOf(makeFixedLength(5), "abc"), ElementsAre("abc"));
}

TEST(PreTokenizers, SpellBytesAndPutASpaceInFront) {
  const Regex pattern = regex(kByteLevelPattern);
  EXPECT_THAT(wordsOf(makeByteLevel(pattern, true), "Hi you"),
              ElementsAre("\u0120Hi", "\u0120you"));
  EXPECT_THAT(wordsOf(makeByteLevel(pattern, true), " Hi"), ElementsAre("\u0120Hi"));
  EXPECT_THAT(wordsOf(makeByteLevel(pattern, false), "Hi you"), ElementsAre("Hi", "\u0120you"));
  EXPECT_THAT(wordsOf(makeByteLevel(std::nullopt, false), "Hi you"), ElementsAre("Hi\u0120you"));
}

TEST(PreTokenizers, MarkSpacesOfSentencepiece) {
  const auto cut = [](PrependScheme scheme, bool split) {
    return makeMetaspace("\u2581", scheme, split);
  };
  EXPECT_THAT(wordsOf(cut(PrependScheme::Always, true), "Hi  you"),
              ElementsAre("\u2581Hi", "\u2581", "\u2581you"));
  EXPECT_THAT(wordsOf(cut(PrependScheme::Never, true), "Hi you"), ElementsAre("Hi", "\u2581you"));
  EXPECT_THAT(wordsOf(cut(PrependScheme::Always, true), " Hi"), ElementsAre("\u2581Hi"));
  EXPECT_THAT(wordsOf(cut(PrependScheme::Always, false), "Hi you"),
              ElementsAre("\u2581Hi\u2581you"));
  const AlignedText whole("ab");
  EXPECT_THAT(wordsOf(cut(PrependScheme::First, true), whole.slice(0, 1)), ElementsAre("\u2581a"));
  EXPECT_THAT(wordsOf(cut(PrependScheme::First, true), whole.slice(1, 2)), ElementsAre("b"));
  EXPECT_THAT(wordsOf(cut(PrependScheme::Always, true), whole.slice(1, 2)), ElementsAre("\u2581b"));
}

TEST(PreTokenizers, CutByAPatternOrByWhatItLeaves) {
  EXPECT_THAT(wordsOf(makeSplit(regex("-"), SplitBehavior::Removed, false), "a--b"),
              ElementsAre("a", "b"));
  EXPECT_THAT(wordsOf(makeSplit(regex("[a-z]"), SplitBehavior::Removed, true), "a--b"),
              ElementsAre("a", "b"));
  EXPECT_THAT(wordsOf(makeSplit(regex("[a-z]"), SplitBehavior::Removed, false), "a--b"),
              ElementsAre("--"));
}

TEST(PreTokenizers, CutOneAfterTheOther) {
  const PreTokenizer both = makePreTokenizers({makeWhitespaceSplit(), makeFixedLength(2)});
  std::vector<AlignedText> words{AlignedText("first")};
  ASSERT_TRUE(both(AlignedText("abc de"), words));
  ASSERT_EQ(words.size(), 4U);
  EXPECT_EQ(words[0].text(), "first") << "what was there stays";
  EXPECT_EQ(words[3].text(), "de");
  EXPECT_EQ(words[3].sourceOf(0, 2).begin, 4U);
}

}  // namespace
}  // namespace ulp::text
