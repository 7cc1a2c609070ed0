#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/models/token_model.h"

namespace ulp::text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Vocabulary vocabularyOf(const std::vector<std::string>& spellings) {
  std::vector<std::pair<std::string, std::int64_t>> tokens;
  for (const std::string& spelling : spellings) {
    tokens.emplace_back(spelling, tokens.size());
  }
  return Vocabulary::create(std::move(tokens)).value();
}

/// "ab:0-2", or the error.
std::vector<std::string> cut(const Result<TokenModelPtr>& model, std::string_view word) {
  if (!model) {
    return {model.error().message()};
  }
  std::vector<WordToken> tokens;
  if (const auto isCut = (*model)->encode(word, tokens); !isCut) {
    return {isCut.error().message()};
  }
  std::vector<std::string> texts;
  for (const WordToken& token : tokens) {
    texts.push_back(std::string((*model)->vocabulary().spelling(token.id)) + ":" +
                    std::to_string(token.begin) + "-" + std::to_string(token.end));
  }
  return texts;
}

using Merges = std::vector<std::pair<std::string, std::string>>;

/// Again and again the earliest merge that is possible, at its leftmost place.
std::vector<std::string> mergedOneByOne(const Merges& merges, const std::string& word) {
  std::vector<std::string> parts;
  for (const char letter : word) {
    parts.emplace_back(1, letter);
  }
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (std::size_t rank = 0; rank < merges.size() && !isChanged; ++rank) {
      for (std::size_t i = 0; i + 1 < parts.size() && !isChanged; ++i) {
        if (parts[i] == merges[rank].first && parts[i + 1] == merges[rank].second) {
          parts[i] += parts[i + 1];
          parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1);
          isChanged = true;
        }
      }
    }
  }
  std::size_t begin = 0;
  for (std::string& part : parts) {
    const std::size_t end = begin + part.size();
    part += ":" + std::to_string(begin) + "-" + std::to_string(end);
    begin = end;
  }
  return parts;
}

TEST(Bpe, MergesAsOneByOne) {
  const Merges merges{{"b", "a"},
                      {"a", "b"},
                      {"c", "a"},
                      {"ab", "ab"},
                      {"ba", "c"},
                      {"a", "ba"},
                      {"ca", "ab"},
                      {"c", "c"},
                      {"cc", "c"},
                      {"a", "a"},
                      {"aa", "aa"},
                      {"bac", "ca"}};
  std::vector<std::string> spellings{"a", "b", "c"};
  for (const auto& [left, right] : merges) {
    spellings.push_back(left + right);
  }
  const auto model = makeBpe({.vocabulary = vocabularyOf(spellings), .merges = merges});
  ASSERT_TRUE(model) << model.error().message();
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string word;
    for (std::size_t length = 1 + random() % 12; word.size() < length;) {
      word += static_cast<char>('a' + random() % 3);
    }
    ASSERT_EQ(cut(model, word), mergedOneByOne(merges, word)) << word;
  }
}

TEST(Bpe, UnknownCharactersAreAsItsDefinitionSays) {
  const auto modelOf = [](bool isFused, bool hasBytes) {
    return makeBpe({.vocabulary = vocabularyOf({"a", "<unk>", "<0xC3>", "<0xA9>"}),
                    .unknownToken = "<unk>",
                    .fuseUnknown = isFused,
                    .byteFallback = hasBytes});
  };
  EXPECT_THAT(cut(modelOf(false, false), "axya"),
              ElementsAre("a:0-1", "<unk>:1-2", "<unk>:2-3", "a:3-4"));
  EXPECT_THAT(cut(modelOf(true, false), "axyaz"),
              ElementsAre("a:0-1", "<unk>:1-3", "a:3-4", "<unk>:4-5"));
  EXPECT_THAT(cut(modelOf(true, true), "\u00E9"), ElementsAre("<0xC3>:0-1", "<0xA9>:1-2"));
  EXPECT_THAT(cut(modelOf(true, true), "\u00E8a"), ElementsAre("<unk>:0-2", "a:2-3"))
      << "a byte of it has no token";
  const auto silent = makeBpe({.vocabulary = vocabularyOf({"a"})});
  EXPECT_THAT(cut(silent, "axa"), ElementsAre("a:0-1", "a:2-3"));
}

TEST(Bpe, MarksOfTheInnerAndTheLastCharacterAreOfItsTokens) {
  const auto suffixed = makeBpe({.vocabulary = vocabularyOf({"a", "b", "b</w>", "ab</w>", "a</w>"}),
                                 .merges = {{"a", "b</w>"}},
                                 .endSuffix = "</w>"});
  EXPECT_THAT(cut(suffixed, "ab"), ElementsAre("ab</w>:0-2"));
  EXPECT_THAT(cut(suffixed, "aba"), ElementsAre("a:0-1", "b:1-2", "a</w>:2-3"));
  const auto prefixed = makeBpe({.vocabulary = vocabularyOf({"a", "##b", "ab", "##a"}),
                                 .merges = {{"a", "##b"}},
                                 .continuingPrefix = "##"});
  EXPECT_THAT(cut(prefixed, "aba"), ElementsAre("ab:0-2", "##a:2-3"));
  EXPECT_THAT(cut(makeBpe({.vocabulary = vocabularyOf({"a", "b"}),
                           .merges = {{"a", "b"}},
                           .continuingPrefix = "##"}),
                  "a"),
              ElementsAre(HasSubstr("merges[0]: 'b' is shorter than the prefix")));
}

TEST(Bpe, AWordThatIsATokenMayStayOne) {
  const auto modelOf = [](bool ignoresMerges) {
    return makeBpe({.vocabulary = vocabularyOf({"a", "b", "ab"}), .ignoreMerges = ignoresMerges});
  };
  EXPECT_THAT(cut(modelOf(true), "ab"), ElementsAre("ab:0-2"));
  EXPECT_THAT(cut(modelOf(true), "aba"), ElementsAre("a:0-1", "b:1-2", "a:2-3"));
  EXPECT_THAT(cut(modelOf(false), "ab"), ElementsAre("a:0-1", "b:1-2"));
}

TEST(WordPiece, TakesTheLongestPieceFromTheLeft) {
  const auto model = makeWordPiece(
      {.vocabulary = vocabularyOf({"un", "unaff", "##aff", "##able", "##a", "[UNK]", "\u00E9"}),
       .unknownToken = "[UNK]",
       .continuingPrefix = "##",
       .longestWord = 9});
  EXPECT_THAT(cut(model, "unaffable"), ElementsAre("unaff:0-5", "##able:5-9"));
  EXPECT_THAT(cut(model, "una"), ElementsAre("un:0-2", "##a:2-3"));
  EXPECT_THAT(cut(model, "unx"), ElementsAre("[UNK]:0-3"));
  EXPECT_THAT(cut(model,
                  "\u00E9"
                  "a"),
              ElementsAre("\u00E9:0-2", "##a:2-3"));
  EXPECT_THAT(cut(model, "unaaaaaaaa"), ElementsAre("[UNK]:0-10")) << "it is too long";
  EXPECT_EQ(cut(model, "unaaaaaaa").size(), 8U);
  EXPECT_THAT(cut(makeWordPiece({.vocabulary = vocabularyOf({"a"}), .unknownToken = "?"}), "a"),
              ElementsAre(HasSubstr("'?' is not in the vocabulary")));
}

TEST(Vocabulary, KnowsItsTokensByNumberAndSpelling) {
  const auto vocabulary = Vocabulary::create({{"a", 0}, {"c", 2}}).value();
  EXPECT_EQ(vocabulary.size(), 3);
  EXPECT_TRUE(vocabulary.holds(0));
  EXPECT_FALSE(vocabulary.holds(1));
  EXPECT_TRUE(vocabulary.holds(2));
  EXPECT_FALSE(vocabulary.holds(3));
  EXPECT_FALSE(vocabulary.holds(-1));
  EXPECT_EQ(vocabulary.spelling(2), "c");
  EXPECT_EQ(vocabulary.spelling(1), "");
  EXPECT_EQ(vocabulary.find("c"), 2U);
  EXPECT_EQ(vocabulary.find("b"), std::nullopt);
  EXPECT_EQ(Vocabulary::create({}).value().size(), 0);
  EXPECT_FALSE(Vocabulary::create({{"a", Vocabulary::kLargestId + 1}}));
  const auto twice = Vocabulary::create({{"a", 1}, {"b", 0}, {"c", 1}});
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.error().message(), HasSubstr("tokens 'a' and 'c' have the same number 1"));
}

}  // namespace
}  // namespace ulp::text
