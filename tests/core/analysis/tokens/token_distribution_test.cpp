#include "core/analysis/tokens/token_distribution.h"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace ulp::analysis {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

}  // namespace
}  // namespace ulp::analysis
