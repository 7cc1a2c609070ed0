#include "core/report/summary/noise_floor.h"

#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

/// Errors of row i: bf16 (i + 1) / 1000, floor.repeat twice and floor.float64 three times that.
Report reportWithFloor() {
  Report report = test::sampleReport(2, {"bf16", "floor.repeat", "floor.float64"});
  report.runs[2].role = RunRole::Floor;
  report.runs[3].role = RunRole::Floor;
  return report;
}

TEST(NoiseFloor, IsTheWorstOfItsRuns) {
  const Report report = reportWithFloor();
  const NoiseFloor floor(report);
  ASSERT_TRUE(floor.isKnown());
  const Site& site = report.runs[1].comparisons[0].site;
  EXPECT_DOUBLE_EQ(floor.at(site, 1), 0.003) << "rms_rel: the larger is worse";
  EXPECT_DOUBLE_EQ(floor.at(site, 2), 1 - 0.003) << "cosine: the smaller is";
  EXPECT_TRUE(std::isnan(floor.at({.name = "elsewhere"}, 1)));
}

TEST(NoiseFloor, CoversWhatIsNoWorse) {
  const Report report = reportWithFloor();
  const NoiseFloor floor(report);
  const Site& site = report.runs[1].comparisons[0].site;
  EXPECT_TRUE(floor.covers(site, 1, 0.003));
  EXPECT_FALSE(floor.covers(site, 1, 0.0031));
  EXPECT_TRUE(floor.covers(site, 2, 0.9999));
  EXPECT_FALSE(floor.covers(site, 2, 0.9));
  EXPECT_FALSE(floor.covers(site, 1, std::nan("")));
}

TEST(NoiseFloor, IsUnknownWithoutRunsOfIt) {
  const NoiseFloor floor(test::sampleReport(2, {"bf16"}));
  EXPECT_FALSE(floor.isKnown());
  EXPECT_FALSE(floor.covers(test::layerSite("norm", -1, Pass::Forward), 1, 0));
}

TEST(NoiseFloor, IsKnownWhereARunOfItHasComparisons) {
  Report report = reportWithFloor();
  const auto isKnown = [&] {
    return std::pair(hasNoiseFloor(report), NoiseFloor(report).isKnown());
  };
  EXPECT_EQ(isKnown(), std::pair(true, true));
  report.runs[2].comparisons.clear();
  EXPECT_EQ(isKnown(), std::pair(true, true)) << "there is another";
  report.runs[3].comparisons.clear();
  EXPECT_EQ(isKnown(), std::pair(false, false)) << "floor runs that failed";
  EXPECT_FALSE(hasNoiseFloor(test::sampleReport(2, {"bf16"})));
}

TEST(NoiseFloor, SaysNothingOfTheSizeOfTheReference) {
  Report report = reportWithFloor();
  report.metrics[1].id = "ref_scale";
  EXPECT_TRUE(std::isnan(NoiseFloor(report).at(report.runs[1].comparisons[0].site, 1)));
}

TEST(NoiseFloor, LabelsSayWhatIsMeasured) {
  EXPECT_EQ(floorLabel("floor.float64"), "floor.float64 (rounding of the reference itself)");
  EXPECT_EQ(floorLabel("other"), "other");
}

}  // namespace
}  // namespace ulp::report
