#include "core/report/model/position_errors.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/report/model/merge_samples.h"
#include "tests/support/data/position_report.h"

namespace ulp::report {
namespace {

PositionErrors oneRow(std::vector<PositionError> errors) {
  return {.prompt = 1,
          .rows = {{.name = "decoder.0", .layer = 0, .errors = std::move(errors)}},
          .tops = {{.tokens = 1}, {.tokens = 1, .flipped = 1}}};
}

PositionError tokenWith(double rmsDiff, double refScale, std::uint64_t nonFinite = 0) {
  return {.tokens = {.tokens = 1, .rmsDiff = rmsDiff, .refScale = refScale},
          .nonFinite = nonFinite};
}

TEST(PositionErrors, MoreTokensAreMeansOfSquaresAtTheirPosition) {
  PositionErrors total = oneRow({tokenWith(3, 1), tokenWith(1, 2)});
  addPositions(total, oneRow({tokenWith(4, 7), PositionError{.nonFinite = 5}}));
  ASSERT_EQ(total.rows.size(), 1U);
  const std::vector<PositionError>& errors = total.rows[0].errors;
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].tokens.tokens, 2U);
  EXPECT_DOUBLE_EQ(errors[0].tokens.rmsDiff, std::sqrt((9.0 + 16) / 2));
  EXPECT_DOUBLE_EQ(errors[0].tokens.refScale, std::sqrt((1.0 + 49) / 2));
  EXPECT_EQ(errors[1].tokens.tokens, 1U) << "a token without a number is no token of the mean";
  EXPECT_DOUBLE_EQ(errors[1].tokens.relative(), 0.5);
  EXPECT_EQ(errors[1].nonFinite, 5U) << "but it is counted";
  EXPECT_EQ(total.tops[1].tokens, 2U);
  EXPECT_EQ(total.tops[1].flipped, 2U);
}

TEST(PositionErrors, OfOtherPositionsHaveNoSum) {
  PositionErrors total = oneRow({tokenWith(3, 1)});
  PositionErrors other = oneRow({tokenWith(3, 1)});
  other.first = 4;
  addPositions(total, other);
  EXPECT_TRUE(total.isEmpty());
  addPositions(total, other);
  EXPECT_EQ(total.first, 4U) << "nothing and something is something";
  addPositions(total, PositionErrors{});
  EXPECT_FALSE(total.isEmpty());
}

TEST(PositionErrors, KnowTheirRowsAndWhatWasGenerated) {
  PositionErrors positions = test::positionErrors(3, 3, 5);
  ASSERT_NE(positions.lastLayer(), nullptr);
  EXPECT_EQ(positions.lastLayer()->name, "decoder.2");
  EXPECT_EQ(positions.find("nowhere"), nullptr);
  EXPECT_EQ(positions.count(), 5U);
  EXPECT_FALSE(positions.isGenerated(2));
  EXPECT_TRUE(positions.isGenerated(3));
  positions.first = 2;
  EXPECT_TRUE(positions.isGenerated(1));
  EXPECT_FALSE(positions.isGenerated(0));
  EXPECT_EQ(oneRow({}).count(), 2U) << "those of the logits";
}

TEST(PositionErrors, AreSummedOverAStretch) {
  const PositionErrors positions = test::positionErrors(1, 3, 5);
  const PositionRow& norm = *positions.find("norm");
  const PositionError sum = sumOf(norm, 3, 9);
  EXPECT_EQ(sum.tokens.tokens, 4U);
  EXPECT_EQ(sum.nonFinite, 1U);
  const double a = test::positionErrorAt(2, 3);
  const double b = test::positionErrorAt(2, 4);
  EXPECT_DOUBLE_EQ(sum.tokens.relative(), std::sqrt((a * a + b * b) / 2));
  EXPECT_EQ(sumOf(norm, 3, 3).tokens.tokens, 0U);
  EXPECT_EQ(sumOf(positions.tops, 0, 5).tokens, 10U);
  EXPECT_EQ(sumOf(positions.tops, 0, 4).flipped, 0U);
}

TEST(PositionErrors, SamplesOfARunAreAddedUp) {
  report::Run sample = test::runOf("bf16", {});
  sample.positions = oneRow({tokenWith(3, 1), tokenWith(1, 2)});
  report::Run total;
  total.samples = 0;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(mergeSample(total, sample));
  }
  ASSERT_EQ(total.positions.rows.size(), 1U);
  EXPECT_EQ(total.positions.rows[0].errors[0].tokens.tokens, 3U);
  EXPECT_DOUBLE_EQ(total.positions.rows[0].errors[0].tokens.rmsDiff, 3);
  EXPECT_EQ(total.positions.tops[0].tokens, 3U);
  EXPECT_EQ(total.positions.tops[1].flipped, 3U);
}

}  // namespace
}  // namespace ulp::report
