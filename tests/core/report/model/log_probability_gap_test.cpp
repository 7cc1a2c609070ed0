#include "core/report/model/log_probability_gap.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/special_numbers.h"

namespace ulp::report {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

using test::kInfinity;
using test::kNan;

/// Two sequences of three tokens, the last of each without a label.
LogProbabilities twoSequences(std::string name, std::vector<double> values) {
  return {.name = std::move(name),
          .sequences = 2,
          .length = 3,
          .values = std::move(values),
          .isLabel = {1, 1, 0, 1, 1, 0}};
}

const LogProbabilities kA = twoSequences("a", {-1, -2, 7, -3, -4, 7});

TEST(LogProbabilityGap, DescribesTheDifferencesOfLabels) {
  const auto b = twoSequences("b", {-1.1, -2.1, -100, -2.7, -3.9, -100});
  const auto gap = logProbabilityGap(kA, b, {.epsilon = 0.2});
  ASSERT_TRUE(gap) << gap.error().message();
  EXPECT_EQ(gap->tokens, 4U);
  EXPECT_EQ(gap->nonFinite, 0U);
  EXPECT_NEAR(gap->mean, 0.05, 1e-15);
  EXPECT_NEAR(gap->rms, std::sqrt((0.01 + 0.01 + 0.09 + 0.01) / 4), 1e-15);
  EXPECT_NEAR(gap->largest, 0.3, 1e-15);
  EXPECT_EQ(gap->largestPlace, 3U);
  EXPECT_EQ(gap->shareAbove, 0.25);
  EXPECT_THAT(gap->sums, ElementsAre(DoubleNear(-0.2, 1e-15), DoubleNear(0.4, 1e-15)));
  EXPECT_NEAR(gap->relativeRms, std::sqrt(0.12 / 30), 1e-15);
  // numpy: polyfit of b over a, corrcoef, the root mean square of what polyfit leaves.
  EXPECT_NEAR(gap->slope, 0.9, 1e-14);
  EXPECT_NEAR(gap->correlation, 0.9926738940125378, 1e-14);
  EXPECT_NEAR(gap->residualRms, 0.12247448713915889, 1e-14);
  // 1.96 standard errors of the mean of -0.1, -0.1, 0.3, 0.1.
  EXPECT_NEAR(gap->interval, 1.959963984540054 * std::sqrt(0.11 / 3) / 2, 1e-14);
  const double kl = (2 * (std::exp(-0.1) - 0.9) + std::exp(0.3) - 1.3 + std::exp(0.1) - 1.1) / 4;
  EXPECT_NEAR(gap->kl, kl, 1e-15);
}

TEST(LogProbabilityGap, KeepsTheDigitsOfTinyDifferences) {
  const auto b = twoSequences("b", {-1 + 1e-9, -2 - 1e-9, 7, -3 + 1e-9, -4 - 1e-9, 7});
  const auto gap = logProbabilityGap(kA, b);
  ASSERT_TRUE(gap);
  EXPECT_NEAR(gap->kl, 5e-19, 1e-25);
  EXPECT_NEAR(gap->rms, 1e-9, 1e-15);
}

TEST(LogProbabilityGap, OfARunWithItselfIsNothing) {
  const auto gap = logProbabilityGap(kA, kA);
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->rms, 0);
  EXPECT_EQ(gap->kl, 0);
  EXPECT_EQ(gap->slope, 1);
  EXPECT_EQ(gap->largest, 0);
}

TEST(LogProbabilityGap, CountsWhatIsNotFiniteAndLeavesItOut) {
  const auto b = twoSequences("b", {kNan, -2.5, 7, -kInfinity, -4, 7});
  const auto gap = logProbabilityGap(kA, b);
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->tokens, 2U);
  EXPECT_EQ(gap->nonFinite, 2U);
  EXPECT_EQ(gap->mean, -0.25);
  const auto none = logProbabilityGap(kA, twoSequences("b", std::vector<double>(6, kNan)));
  ASSERT_TRUE(none) << none.error().message();
  EXPECT_EQ(none->tokens, 0U);
  EXPECT_EQ(none->nonFinite, 4U);
  EXPECT_TRUE(isNoneFinite(*none));
  EXPECT_FALSE(isNoneFinite(*gap));
  for (const double value : {none->mean, none->rms, none->largest, none->sums[1], none->kl}) {
    EXPECT_TRUE(std::isnan(value));
  }
}

TEST(LogProbabilityGap, RefusesRunsOfOtherTokens) {
  LogProbabilities other = kA;
  other.isLabel = {1, 1, 1, 1, 1, 0};
  EXPECT_THAT(logProbabilityGap(kA, other).error().message(), HasSubstr("(4 and 5 of them)"));
  other.sequences = 1;
  EXPECT_THAT(logProbabilityGap(kA, other).error().message(),
              HasSubstr("'a' has 2 sequences of 3 tokens, 'a' 1 of 3"));
}

TEST(LogProbabilityGap, TellsWhetherTwoRunsErrAlike) {
  const auto b = twoSequences("b", {-1.1, -2.2, 7, -3.1, -4.2, 7});
  const auto twice = twoSequences("twice", {-1.2, -2.4, 7, -3.2, -4.4, 7});
  const auto against = twoSequences("against", {-0.9, -1.8, 7, -2.9, -3.8, 7});
  EXPECT_NEAR(*errorCorrelation(kA, b, twice), 1, 1e-12);
  EXPECT_NEAR(*errorCorrelation(kA, b, against), -1, 1e-12);
  EXPECT_TRUE(std::isnan(*errorCorrelation(kA, b, kA)));
}

TEST(LogProbabilityGap, GivesDifferencesTokenByToken) {
  const auto b = twoSequences("b", {-1.5, -2, 7, -3, -3, 7});
  const auto differences = logProbabilityDifferences(kA, b);
  ASSERT_TRUE(differences);
  EXPECT_THAT(*differences, ElementsAre(-0.5, 0, testing::IsNan(), 0, 1, testing::IsNan()));
}

TEST(LogProbabilityError, HoldsTheNumbersOfTheGap) {
  const auto b = twoSequences("b", {-1.1, -2.1, -100, -2.7, -3.9, -100});
  const auto gap = logProbabilityGap(kA, b, {.epsilon = 0.2});
  const auto error = logProbabilityError(kA, b, {.epsilon = 0.2});
  ASSERT_TRUE(error) << error.error().message();
  EXPECT_EQ(error->tokens, 4U);
  EXPECT_EQ(error->mean, gap->mean);
  EXPECT_NEAR(error->meanAbsolute, 0.15, 1e-15);
  EXPECT_EQ(error->rms, gap->rms);
  EXPECT_EQ(error->largest, gap->largest);
  EXPECT_EQ(error->epsilon, 0.2);
  EXPECT_EQ(error->shareAbove, 0.25);
  EXPECT_EQ(error->slope, gap->slope);
  EXPECT_EQ(error->correlation, gap->correlation);
}

TEST(LogProbabilityError, IsUndefinedWhereNoTokenCanBeCompared) {
  const auto b = twoSequences("b", {kNan, kNan, kNan, kNan, -kInfinity, kNan});
  const auto error = logProbabilityError(kA, b);
  ASSERT_TRUE(error) << error.error().message();
  EXPECT_EQ(error->tokens, 0U);
  EXPECT_EQ(error->nonFinite, 4U);
  EXPECT_TRUE(std::isnan(error->rms));
  EXPECT_TRUE(std::isnan(error->mean));
  EXPECT_TRUE(std::isnan(error->largest));
}

}  // namespace
}  // namespace ulp::report
