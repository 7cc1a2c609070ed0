#include "core/analysis/tokens/token_distance.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/special_numbers.h"

namespace ulp::analysis {
namespace {

using test::kInfinity;
using test::kNan;

/// `values` stay where they are.
template <std::size_t kCount>
numerics::TensorView viewOf(const std::array<double, kCount>& values) {
  return {values.data(), DType::Float64, {static_cast<std::int64_t>(kCount)}};
}

TEST(TokenDistribution, IsThatOfOnePlaceAmongOthers) {
  const std::array<double, 6> logits{9, 9, 9, std::log(2), std::log(5), 0};
  TokenDistribution distribution;
  ASSERT_TRUE(distribution.read(viewOf(logits), 3, 3));
  EXPECT_EQ(distribution.choice(), 1U);
  EXPECT_NEAR(distribution.logProbability(0), std::log(2.0 / 8), 1e-15);
  EXPECT_NEAR(distribution.logProbability(2), std::log(1.0 / 8), 1e-15);
}

TEST(TokenDistribution, WhatIsRuledOutDoesNotCountForTheSpread) {
  const std::array<double, 3> logits{1, -kInfinity, 3};
  TokenDistribution distribution;
  ASSERT_TRUE(distribution.read(viewOf(logits), 0, 3));
  EXPECT_DOUBLE_EQ(distribution.spread(), 1);
}

TEST(TokenDistribution, NothingIsMadeOfNanAndInfinities) {
  TokenDistribution distribution;
  const std::array<double, 2> nan{1, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_FALSE(distribution.read(viewOf(nan), 0, 2));
  const std::array<double, 2> infinite{1, kInfinity};
  EXPECT_FALSE(distribution.read(viewOf(infinite), 0, 2));
  const std::array<double, 2> nothing{-kInfinity, -kInfinity};
  EXPECT_FALSE(distribution.read(viewOf(nothing), 0, 2));
  EXPECT_FALSE(distribution.read(viewOf(nothing), 0, 0));
}

TEST(TokenDistribution, DivergenceIsThatOfTheFirstFromTheSecond) {
  const std::array<double, 3> a{std::log(2), 0, 0};  // 1/2, 1/4, 1/4
  const std::array<double, 3> b{0, 0, std::log(2)};  // 1/4, 1/4, 1/2
  TokenDistribution ofA;
  TokenDistribution ofB;
  ASSERT_TRUE(ofA.read(viewOf(a), 0, 3));
  ASSERT_TRUE(ofB.read(viewOf(b), 0, 3));
  EXPECT_NEAR(klDivergence(ofA, ofB), 0.25 * std::log(2), 1e-15);
  EXPECT_EQ(klDivergence(ofA, ofA), 0);
  const std::array<double, 3> without{0, -kInfinity, 0};
  ASSERT_TRUE(ofB.read(viewOf(without), 0, 3));
  EXPECT_EQ(klDivergence(ofA, ofB), kInfinity);
  EXPECT_LT(klDivergence(ofB, ofA), kInfinity);
}

/// `values` stay where they are.
tensors::Tensor logits(const std::vector<double>& values) {
  return {.view = {values.data(), DType::Float64, {static_cast<std::int64_t>(values.size())}},
          .owner = nullptr};
}

/// Every number of it, to the last bit.
std::vector<std::uint64_t> bitsOf(const std::vector<TokenDistance>& tokens) {
  std::vector<std::uint64_t> bits;
  for (const TokenDistance& token : tokens) {
    for (const double number : {token.kl, token.cosine, token.margin, token.spread}) {
      bits.push_back(std::bit_cast<std::uint64_t>(number));
    }
    bits.insert(bits.end(), {token.choiceA, token.choiceB, token.isFinite ? 1U : 0U});
  }
  return bits;
}

TEST(TokenDistanceTest, IsOfEachTokenFromItsOwnPlaceOnEitherSide) {
  const std::vector<double> a{9, 9, std::log(2), 0, 0, 0};
  const std::vector<double> b{0, std::log(3), kNan, 0};
  const auto tokens = tokenDistances(
      logits(a), logits(b), {.tokens = 2, .vocabulary = 2, .firstOfA = 2, .firstOfB = 0});
  ASSERT_TRUE(tokens) << tokens.error().message();
  ASSERT_EQ(tokens->size(), 2U);
  const TokenDistance& first = tokens->front();
  EXPECT_TRUE(first.isFinite);
  // Probabilities 2/3, 1/3 and 1/4, 3/4.
  EXPECT_NEAR(first.kl, 2.0 / 3 * std::log(8.0 / 3) + 1.0 / 3 * std::log(4.0 / 9), 1e-15);
  EXPECT_NEAR(first.margin, std::log(2), 1e-15);
  EXPECT_NEAR(first.spread, std::log(2) / 2, 1e-15);
  EXPECT_EQ(first.cosine, 0);
  EXPECT_EQ(first.choiceA, 0U);
  EXPECT_EQ(first.choiceB, 1U);
  EXPECT_FALSE(tokens->back().isFinite);
}

TEST(TokenDistanceTest, LogitsThatAreAllZeroAreAlikeAndNothingElseIsLikeThem) {
  const std::vector<double> zeros{0, 0};
  const std::vector<double> others{0, 2};
  const auto cosine = [](const std::vector<double>& a, const std::vector<double>& b) {
    const auto tokens = tokenDistances(logits(a), logits(b), {.tokens = 1, .vocabulary = 2});
    EXPECT_TRUE(tokens);
    return tokens ? tokens->front().cosine : kNan;
  };
  EXPECT_EQ(cosine(zeros, zeros), 1);
  EXPECT_EQ(cosine(zeros, others), 0);
  EXPECT_EQ(cosine(others, zeros), 0);
  EXPECT_EQ(cosine(others, others), 1);
}

TEST(TokenDistanceTest, TheNumberOfThreadsChangesNoBit) {
  constexpr std::size_t kTokens = 1025;
  constexpr std::size_t kVocabulary = 1021;
  std::vector<double> a;
  std::vector<double> b;
  for (std::size_t i = 0; i < kTokens * kVocabulary; ++i) {
    a.push_back(static_cast<double>(i * 7919 % 10007) / 1000);
    b.push_back(a.back() + static_cast<double>(i * 104729 % 997) / 100000);
  }
  const TokenPairs pairs{.tokens = kTokens, .vocabulary = kVocabulary};
  const auto one = tokenDistances(logits(a), logits(b), pairs, 1);
  const auto four = tokenDistances(logits(a), logits(b), pairs, 4);
  ASSERT_TRUE(one && four);
  ASSERT_EQ(one->size(), kTokens);
  EXPECT_GT(one->back().kl, 0) << "the last one was reached";
  EXPECT_EQ(bitsOf(*one), bitsOf(*four));
}

TEST(TokenDistanceTest, CanBeStopped) {
  const std::vector<double> a{1, 2};
  std::stop_source stop;
  stop.request_stop();
  const auto tokens =
      tokenDistances(logits(a), logits(a), {.tokens = 1, .vocabulary = 2}, 1, stop.get_token());
  ASSERT_FALSE(tokens);
  EXPECT_EQ(tokens.error().code(), ErrorCode::Cancelled);
}

/// `values` stay where they are.
tensors::Tensor logits(const std::vector<double>& values, std::int64_t vocabulary) {
  const auto tokens = static_cast<std::int64_t>(values.size()) / vocabulary;
  return {.view = {values.data(), DType::Float64, {1, tokens, vocabulary}}, .owner = nullptr};
}

TEST(DistributionGap, IsTheDivergenceOfEachToken) {
  // Probabilities 1/2, 1/4, 1/4 and 1/4, 1/4, 1/2; the logits of the second token are shifted.
  const std::vector<double> a{std::log(2), 0, 0, 5, 6, 5};
  const std::vector<double> b{0, 0, std::log(2), 15, 16, 15};
  const auto gap = distributionGap(logits(a, 3), logits(b, 3));
  ASSERT_TRUE(gap) << gap.error().message();
  ASSERT_EQ(gap->kl.size(), 2U);
  EXPECT_NEAR(gap->kl[0], 0.25 * std::log(2), 1e-15);
  EXPECT_NEAR(gap->kl[1], 0, 1e-15);
  EXPECT_NEAR(gap->meanKl, 0.125 * std::log(2), 1e-15);
  EXPECT_NEAR(gap->largestKl, 0.25 * std::log(2), 1e-15);
  EXPECT_EQ(gap->largestPlace, 0U);
  EXPECT_EQ(gap->topAgreement, 0.5);
}

TEST(DistributionGap, IsOfTheLogitsTimesTheirScales) {
  const std::vector<double> a{2 * std::log(2), 0, 0};
  const std::vector<double> b{0, 0, std::log(2) / 2};
  const auto gap = distributionGap(logits(a, 3), logits(b, 3), {.a = 0.5, .b = 2});
  ASSERT_TRUE(gap) << gap.error().message();
  EXPECT_NEAR(gap->meanKl, 0.25 * std::log(2), 1e-15);
}

TEST(DistributionGap, TakesTheFirstOfEqualLogitsAsTheMostLikely) {
  const std::vector<double> a{3, 3, 1};
  const std::vector<double> b{3, 2.9, 1};
  EXPECT_EQ(distributionGap(logits(a, 3), logits(b, 3))->topAgreement, 1);
  const std::vector<double> c{2.9, 3, 1};
  EXPECT_EQ(distributionGap(logits(a, 3), logits(c, 3))->topAgreement, 0);
}

TEST(DistributionGap, StaysExactForLogitsOfAnySize) {
  const std::vector<double> a{1e4, 1e4 + 1};
  const std::vector<double> b{-1e4, -1e4 + 1};
  EXPECT_EQ(distributionGap(logits(a, 2), logits(b, 2))->meanKl, 0);
}

TEST(DistributionGap, CountsWhatIsNoDistributionAndKeepsInfiniteDivergence) {
  const std::vector<double> a{0, kNan, 0, 0, 0, -kInfinity, 0, 0};
  const std::vector<double> b{0, 0, 0, kInfinity, 0, 0, 0, -kInfinity};
  const auto gap = distributionGap(logits(a, 2), logits(b, 2));
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->nonFinite, 2U);
  EXPECT_EQ(gap->tokens, 2U);
  EXPECT_TRUE(std::isnan(gap->kl[0]));
  EXPECT_TRUE(std::isnan(gap->kl[1]));
  EXPECT_NEAR(gap->kl[2], std::log(2), 1e-15) << "A rules out what B does not";
  EXPECT_EQ(gap->kl[3], kInfinity);
  EXPECT_EQ(gap->meanKl, kInfinity);
}

TEST(DistributionGap, CountsTokensOfWhichNoneIsFinite) {
  const std::vector<double> nothing{kNan, kNan};
  const auto gap = distributionGap(logits(nothing, 2), logits(nothing, 2));
  ASSERT_TRUE(gap) << gap.error().message();
  EXPECT_EQ(gap->tokens, 0U);
  EXPECT_EQ(gap->nonFinite, 1U);
  EXPECT_TRUE(std::isnan(gap->meanKl));
  EXPECT_TRUE(std::isnan(gap->largestKl));
  EXPECT_TRUE(std::isnan(gap->topAgreement));
}

TEST(DistributionGap, RefusesWhatCannotBeCompared) {
  const std::vector<double> a{0, 0, 0, 0};
  EXPECT_FALSE(distributionGap(logits(a, 2), logits(a, 4)));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(distributionGap(logits(a, 2), logits(a, 2), {}, stop.get_token()).error().code(),
            ErrorCode::Cancelled);
}

}  // namespace

}  // namespace ulp::analysis
