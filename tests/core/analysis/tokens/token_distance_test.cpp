#include "core/analysis/tokens/token_distance.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::analysis {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

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

}  // namespace
}  // namespace ulp::analysis
