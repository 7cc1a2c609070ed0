#include "core/numerics/comparison/relative_shares.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/data/special_numbers.h"

namespace ulp::numerics {
namespace {

using test::kFloatInfinity;
using test::kFloatNan;

template <std::size_t kCount>
TensorView viewOf(const std::array<float, kCount>& values) {
  return {values.data(), DType::Float32, {static_cast<std::int64_t>(kCount)}};
}

TEST(RelativeSharesTest, CountsStrictlyBelowTheLimits) {
  const std::array<float, 5> reference{1000, 1000, 1000, 1000, -1000};
  const std::array<float, 5> candidate{1000.5F, 1001, 1004, 1005, -1000};
  RelativeShares shares;
  addRelativeShares(shares, viewOf(reference), viewOf(candidate));
  EXPECT_EQ(shares.compared, 5U);
  EXPECT_EQ(shares.withinThousandth, 2U) << "0.05 % and equal; 0.1 % itself is not below";
  EXPECT_EQ(shares.withinFiveThousandths, 4U);
}

TEST(RelativeSharesTest, OfAZeroOnlyZeroIsClose) {
  const std::array<float, 3> reference{0, 0, -0.0F};
  const std::array<float, 3> candidate{0, 1e-30F, 0};
  RelativeShares shares;
  addRelativeShares(shares, viewOf(reference), viewOf(candidate));
  EXPECT_EQ(shares.withinThousandth, 2U);
}

TEST(RelativeSharesTest, WhatIsNotFiniteInBothIsLeftOut) {
  const std::array<float, 4> reference{1, kFloatNan, kFloatInfinity, 1};
  const std::array<float, 4> candidate{kFloatNan, kFloatNan, kFloatInfinity, kFloatInfinity};
  RelativeShares shares;
  addRelativeShares(shares, viewOf(reference), viewOf(candidate));
  EXPECT_EQ(shares.compared, 0U);
  EXPECT_EQ(shares.withinFiveThousandths, 0U);
}

TEST(RelativeSharesTest, FiniteNumbersAreComparedThoughTheirDifferenceIsInfinite) {
  const std::array<double, 2> reference{-1e308, 5e-324};
  const std::array<double, 2> candidate{1e308, 5e-324};
  RelativeShares shares;
  addRelativeShares(
      shares, {reference.data(), DType::Float64, {2}}, {candidate.data(), DType::Float64, {2}});
  EXPECT_EQ(shares.compared, 2U);
  EXPECT_EQ(shares.withinThousandth, 1U) << "equal subnormal numbers";
}

TEST(RelativeSharesTest, CountsInLanesAsOneByOne) {
  std::vector<float> reference(4099);
  std::vector<float> candidate(4099);
  RelativeShares expected;
  unsigned state = 7;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    state = state * 1664525U + 1013904223U;
    const float share = static_cast<float>(state >> 16U) / 65536.0F;
    reference[i] = i % 100 == 0 ? 0 : 10 * share - 5;
    candidate[i] = i % 97 == 0 ? kFloatNan : reference[i] * (1 + 0.01F * share * share * share);
    const double r = reference[i];
    const double d = std::abs(static_cast<double>(candidate[i]) - r);
    if (!std::isnan(d)) {
      ++expected.compared;
      expected.withinThousandth += d == 0 || d < 0.001 * std::abs(r) ? 1U : 0U;
      expected.withinFiveThousandths += d == 0 || d < 0.005 * std::abs(r) ? 1U : 0U;
    }
  }
  RelativeShares shares;
  addRelativeShares(shares,
                    {reference.data(), DType::Float32, {4099}},
                    {candidate.data(), DType::Float32, {4099}});
  EXPECT_EQ(shares.compared, expected.compared);
  EXPECT_EQ(shares.withinThousandth, expected.withinThousandth);
  EXPECT_EQ(shares.withinFiveThousandths, expected.withinFiveThousandths);
  EXPECT_LT(expected.withinThousandth, expected.withinFiveThousandths);
  EXPECT_LT(expected.withinFiveThousandths, expected.compared);
}

TEST(RelativeSharesTest, OtherTypesCountAlikeAndCallsAddUp) {
  const std::vector<std::int64_t> reference(5000, 1000);
  std::vector<std::int64_t> candidate(5000, 1000);
  candidate[4999] = 1002;
  candidate[17] = 1010;
  const TensorView left{reference.data(), DType::Int64, {5000}};
  const TensorView right{candidate.data(), DType::Int64, {5000}};
  RelativeShares shares;
  addRelativeShares(shares, left, right);
  addRelativeShares(shares, left, right);
  EXPECT_EQ(shares.compared, 10000U);
  EXPECT_EQ(shares.withinThousandth, 9996U);
  EXPECT_EQ(shares.withinFiveThousandths, 9998U);
}

}  // namespace
}  // namespace ulp::numerics
