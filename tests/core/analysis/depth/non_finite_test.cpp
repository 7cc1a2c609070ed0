#include "core/analysis/depth/non_finite.h"

#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"

namespace ulp::analysis {
namespace {

TEST(FirstNonFinite, IsAbsentWhereAllIsFinite) {
  EXPECT_FALSE(firstNonFinite(test::sampleReport(3, {"bf16"})));
  EXPECT_FALSE(firstNonFinite(report::Report()));
}

TEST(FirstNonFinite, IsTheEarliestTensorOfTheEarliestRun) {
  report::Report report = test::sampleReport(3, {"bf16", "fp16", "fp16b"});
  test::fillWithNan(report.runs[1].comparisons[5]);
  test::fillWithNan(report.runs[2].comparisons[4]);
  test::fillWithNan(report.runs[2].comparisons[2]);
  test::fillWithNan(report.runs[3].comparisons[2]);
  const auto origin = firstNonFinite(report);
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->run, 2U);
  EXPECT_EQ(origin->comparison, 2U);
  EXPECT_EQ(origin->runs, 3U);
}

TEST(FirstNonFinite, AnEarlierStepComesBeforeAnEarlierTensor) {
  report::Report report = test::sampleReport(3, {"step 7", "step 6", "step 6, rank 1"});
  report.runs[1].axes = UnitAxes{.step = 7};
  report.runs[2].axes = UnitAxes{.step = 6, .rank = 0};
  report.runs[3].axes = UnitAxes{.step = 6, .rank = 1};
  test::fillWithNan(report.runs[1].comparisons[0]);
  test::fillWithNan(report.runs[2].comparisons[5]);
  test::fillWithNan(report.runs[3].comparisons[4]);
  const auto origin = firstNonFinite(report);
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->run, 3U);
  EXPECT_EQ(origin->comparison, 4U);
  EXPECT_EQ(origin->runs, 3U);
}

TEST(FirstNonFinite, ANoiseFloorIsNoVariant) {
  report::Report report = test::sampleReport(3, {"bf16", "floor.repeat"});
  report.runs[2].role = report::RunRole::Floor;
  test::fillWithNan(report.runs[2].comparisons[1]);
  EXPECT_FALSE(firstNonFinite(report));
}

TEST(FirstNonFinite, IgnoresWhatTheReferenceHasToo) {
  report::Report report = test::sampleReport(3, {"bf16"});
  report::Comparison& shared = report.runs[1].comparisons[1];
  test::fillWithNan(shared);
  shared.referenceNonFinite = shared.variantNonFinite;
  EXPECT_FALSE(firstNonFinite(report));
  shared.referenceNonFinite.nan -= 1;
  const auto origin = firstNonFinite(report);
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->comparison, 1U);
}

}  // namespace
}  // namespace ulp::analysis
