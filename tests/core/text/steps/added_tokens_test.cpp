#include "core/text/steps/added_tokens.h"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::text {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// "7:2-5" for a token, ":0-2" for what lies between.
std::vector<std::string> textsOf(const std::vector<AddedStretch>& stretches) {
  std::vector<std::string> texts;
  for (const AddedStretch& each : stretches) {
    texts.push_back(
        fmt::format("{}:{}-{}", each.id ? std::to_string(*each.id) : "", each.begin, each.end));
  }
  return texts;
}

std::vector<std::string> foundIn(std::string_view text, const std::vector<AddedToken>& tokens) {
  const auto made = AddedTokens::create(tokens, Normalizer());
  EXPECT_TRUE(made);
  return textsOf(made->findRaw(text));
}

TEST(AddedTokens, CoverATextWithoutGaps) {
  const std::vector<AddedToken> tokens{{.content = "<s>", .id = 7}, {.content = "<t>", .id = 8}};
  EXPECT_THAT(foundIn("a<s><t>bc", tokens), ElementsAre(":0-1", "7:1-4", "8:4-7", ":7-9"));
  EXPECT_THAT(foundIn("<s>", tokens), ElementsAre("7:0-3"));
  EXPECT_THAT(foundIn("<s", tokens), ElementsAre(":0-2"));
  EXPECT_THAT(foundIn("", tokens), IsEmpty());
  EXPECT_THAT(foundIn("abc", {{.content = "", .id = 1}}), ElementsAre(":0-3"));
}

TEST(AddedTokens, OfSeveralTheLongestCounts) {
  const std::vector<AddedToken> tokens{
      {.content = "ab", .id = 1}, {.content = "abcd", .id = 2}, {.content = "a", .id = 3}};
  EXPECT_THAT(foundIn("abcabcd", tokens), ElementsAre("1:0-2", ":2-3", "2:3-7"));
}

TEST(AddedTokens, ASingleWordHasNoWordBesideIt) {
  const std::vector<AddedToken> tokens{{.content = "tok", .id = 1, .singleWord = true}};
  EXPECT_THAT(foundIn("tok", tokens), ElementsAre("1:0-3"));
  EXPECT_THAT(foundIn("-tok-", tokens), ElementsAre(":0-1", "1:1-4", ":4-5"));
  EXPECT_THAT(foundIn("atok", tokens), ElementsAre(":0-4"));
  EXPECT_THAT(foundIn("toka", tokens), ElementsAre(":0-4"));
  EXPECT_THAT(foundIn("\xC3\xA9tok", tokens), ElementsAre(":0-5"));
  EXPECT_THAT(foundIn("tok\xC3\xA9", tokens), ElementsAre(":0-5"));
}

TEST(AddedTokens, TakeTheBlanksBesideThemWhereTheyStrip) {
  const std::vector<AddedToken> tokens{{.content = "<l>", .id = 1, .stripsLeft = true},
                                       {.content = "<r>", .id = 2, .stripsRight = true}};
  EXPECT_THAT(foundIn("a \t<l> b", tokens), ElementsAre(":0-1", "1:1-6", ":6-8"));
  EXPECT_THAT(foundIn("a <r> \tb", tokens), ElementsAre(":0-2", "2:2-7", ":7-8"));
  EXPECT_THAT(foundIn("<r>  <l>", tokens), ElementsAre("2:0-5", "1:5-8"))
      << "the same blanks are not taken twice";
}

TEST(AddedTokens, ThoseThatAreNormalizedAreFoundInNormalizedText) {
  const auto made = AddedTokens::create(
      {{.content = "WORD", .id = 1, .isNormalized = true}, {.content = "RAW", .id = 2}},
      makeLowercase());
  ASSERT_TRUE(made);
  EXPECT_THAT(textsOf(made->findRaw("WORDRAW")), ElementsAre(":0-4", "2:4-7"));
  EXPECT_THAT(textsOf(made->findNormalized("wordraw")), ElementsAre("1:0-4", ":4-7"));
  ASSERT_NE(made->find(2), nullptr);
  EXPECT_EQ(made->find(2)->content, "RAW");
  EXPECT_EQ(made->find(3), nullptr);
  const auto asItIs =
      AddedTokens::create({{.content = "WORD", .id = 1, .isNormalized = true}}, Normalizer());
  ASSERT_TRUE(asItIs);
  EXPECT_THAT(textsOf(asItIs->findNormalized("WORD")), ElementsAre("1:0-4"));
}

}  // namespace
}  // namespace ulp::text
