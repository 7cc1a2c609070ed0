#include "core/numerics/relative_shares.h"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace ulp::numerics {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

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
  const std::array<float, 4> reference{1, kNan, kInfinity, 1};
  const std::array<float, 4> candidate{kNan, kNan, kInfinity, kInfinity};
  RelativeShares shares;
  addRelativeShares(shares, viewOf(reference), viewOf(candidate));
  EXPECT_EQ(shares.compared, 0U);
  EXPECT_EQ(shares.withinFiveThousandths, 0U);
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
