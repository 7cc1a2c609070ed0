#include <algorithm>
#include <limits>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/models/token_model.h"

namespace ulp::text {
namespace {

using testing::HasSubstr;
using Spans = std::vector<std::pair<std::string, std::size_t>>;  ///< spelling, and where it ends

struct Scored {
  std::string spelling;
  double score;
};

Result<TokenModelPtr> unigramOf(const std::vector<Scored>& pieces,
                                std::optional<std::uint32_t> unknown,
                                bool hasBytes = false) {
  std::vector<std::pair<std::string, std::int64_t>> tokens;
  std::vector<double> scores;
  for (const Scored& piece : pieces) {
    tokens.emplace_back(piece.spelling, tokens.size());
    scores.push_back(piece.score);
  }
  return makeUnigram({.vocabulary = Vocabulary::create(std::move(tokens)).value(),
                      .scores = std::move(scores),
                      .unknownId = unknown,
                      .byteFallback = hasBytes});
}

Spans cutByUnigram(const Result<TokenModelPtr>& model, std::string_view word) {
  std::vector<WordToken> tokens;
  const auto isCut = (*model)->encode(word, tokens);
  EXPECT_TRUE(isCut) << isCut.error().message();
  Spans spans;
  std::size_t begin = 0;
  for (const WordToken& token : tokens) {
    EXPECT_EQ(token.begin, begin);
    spans.emplace_back((*model)->vocabulary().spelling(token.id), token.end);
    begin = token.end;
  }
  return spans;
}

/// Of the best of all ways to cut a word, tried one by one.
double bestScore(const std::map<std::string, double>& pieces,
                 const std::string& word,
                 std::size_t begin) {
  double best = begin == word.size() ? 0 : -std::numeric_limits<double>::infinity();
  for (std::size_t end = begin + 1; end <= word.size(); ++end) {
    const auto piece = pieces.find(word.substr(begin, end - begin));
    if (piece != pieces.end()) {
      best = std::max(best, piece->second + bestScore(pieces, word, end));
    }
  }
  return best;
}

TEST(Unigram, FindsTheBestOfAllCuts) {
  const std::vector<Scored> pieces{{"<unk>", 0},
                                   {"a", -2.31},
                                   {"b", -2.07},
                                   {"c", -3.03},
                                   {"ab", -3.71},
                                   {"bc", -4.13},
                                   {"ca", -5.61},
                                   {"abc", -6.02},
                                   {"cab", -6.97},
                                   {"bb", -3.83},
                                   {"bba", -5.18},
                                   {"aaaa", -7.9}};
  const auto model = unigramOf(pieces, 0);
  ASSERT_TRUE(model) << model.error().message();
  std::map<std::string, double> known;
  for (const Scored& piece : pieces) {
    known[piece.spelling] = piece.score;
  }
  std::mt19937 random(5);
  for (int i = 0; i < 500; ++i) {
    std::string word;
    for (std::size_t length = 1 + random() % 9; word.size() < length;) {
      word += static_cast<char>('a' + random() % 3);
    }
    double score = 0;
    for (const auto& [spelling, end] : cutByUnigram(model, word)) {
      score += known.at(spelling);
    }
    ASSERT_NEAR(score, bestScore(known, word, 0), 1e-9) << word;
  }
}

TEST(Unigram, UnknownCharactersInARowAreOnePiece) {
  const auto model = unigramOf({{"a", -1}, {"<unk>", -2}}, 1);
  EXPECT_EQ(cutByUnigram(model, "axya"), (Spans{{"a", 1}, {"<unk>", 3}, {"a", 4}}));
  EXPECT_EQ(cutByUnigram(model, "\u00E9"), (Spans{{"<unk>", 2}}));
  const std::vector<Scored> bytes{{"a", -1}, {"<unk>", -2}, {"<0xC3>", -3}, {"<0xA9>", -3}};
  EXPECT_EQ(cutByUnigram(unigramOf(bytes, 1, true), "a\u00E9"),
            (Spans{{"a", 1}, {"<0xC3>", 2}, {"<0xA9>", 3}}));
  EXPECT_EQ(cutByUnigram(unigramOf(bytes, 1, true), "a\u00E8"), (Spans{{"a", 1}, {"<unk>", 3}}))
      << "a byte of it has no token";
  EXPECT_EQ(cutByUnigram(unigramOf(bytes, 1, false), "\u00E9"), (Spans{{"<unk>", 2}}));
}

TEST(Unigram, WhatContradictsItselfIsRefused) {
  const auto message = [](const Result<TokenModelPtr>& model) {
    EXPECT_FALSE(model);
    return model ? std::string() : model.error().message();
  };
  EXPECT_THAT(message(unigramOf({}, std::nullopt)), HasSubstr("0 tokens and 0 scores"));
  EXPECT_THAT(message(unigramOf({{"a", 0}}, 1)), HasSubstr("unk_id 1 is beyond"));
  EXPECT_THAT(message(unigramOf({{"a", 0}, {"\xFF", 0}}, 0)), HasSubstr("token 1 is not UTF-8"));
  EXPECT_THAT(message(makeUnigram(
                  {.vocabulary = Vocabulary::create({{"a", 0}}).value(), .scores = {0, 0}})),
              HasSubstr("1 tokens and 2 scores"));
  std::vector<WordToken> tokens;
  const auto isCut = (*unigramOf({{"a", -1}}, std::nullopt))->encode("ax", tokens);
  ASSERT_FALSE(isCut);
  EXPECT_THAT(isCut.error().message(), HasSubstr("no token for 'x'"));
}

}  // namespace
}  // namespace ulp::text
