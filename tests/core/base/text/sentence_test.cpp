#include "core/base/text/sentence.h"

#include <vector>

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(Sentence, PutsArgumentsInTheirPlaces) {
  EXPECT_EQ((Sentence{"%2 then %1", {"a", "b"}}.text()), "b then a");
  EXPECT_EQ((Sentence{"100 % of %1, %3", {"%2"}}.text()), "100 % of %2, %3");
  EXPECT_EQ((Sentence{"%1%1 %", {"a"}}.text()), "aa %");
}

TEST(Sentence, PutsSentencesInTheirPlaces) {
  const Sentence inner{"%1 differs by %2", {"output %1", "3 %"}};
  EXPECT_EQ((Sentence{"%2: %1", {inner, {"high", {}}}}.text()), "high: output %1 differs by 3 %");
}

TEST(Sentence, OfANameIsLiteral) {
  const Sentence name = "a %1";
  EXPECT_TRUE(name.isLiteral);
  EXPECT_EQ(name.text(), "a %1");
  const Sentence words{"a %1", {}};
  EXPECT_FALSE(words.isLiteral);
  EXPECT_EQ(words.text(), "a %1");
  EXPECT_NE(name, words) << "words are translated";
}

TEST(Sentence, ReadsItsTextAndNoOther) {
  const Sentence sentence{"%1: %2", {"a", {"b %1", {"c"}}}};
  EXPECT_TRUE(sentence.reads("a: b c"));
  EXPECT_FALSE(sentence.reads("a: b "));
  EXPECT_FALSE(sentence.reads("a: b cd"));
  EXPECT_FALSE(sentence.reads(""));
  EXPECT_TRUE(Sentence().reads(""));
  EXPECT_TRUE(Sentence().isEmpty());
}

TEST(Sentence, OfAListKeepsItsOrder) {
  std::vector<Sentence> items;
  EXPECT_TRUE(joined("%1; %2", items).isEmpty());
  items.emplace_back("1");
  EXPECT_EQ(joined("%1; %2", items), items.front());
  std::string expected = "1";
  for (int i = 2; i <= 21; ++i) {
    items.emplace_back(std::to_string(i));
    expected += "; " + std::to_string(i);
  }
  EXPECT_EQ(joined("%1; %2", items).text(), expected);
}

}  // namespace
}  // namespace ulp
