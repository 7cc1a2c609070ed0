#include "core/analysis/tokens/distribution_gap.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::analysis {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

TEST(DistributionGap, RefusesWhatCannotBeCompared) {
  const std::vector<double> a{0, 0, 0, 0};
  EXPECT_FALSE(distributionGap(logits(a, 2), logits(a, 4)));
  const std::vector<double> nothing{kNan, kNan};
  EXPECT_FALSE(distributionGap(logits(nothing, 2), logits(nothing, 2)));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(distributionGap(logits(a, 2), logits(a, 2), stop.get_token()).error().code(),
            ErrorCode::Cancelled);
}

}  // namespace
}  // namespace ulp::analysis
