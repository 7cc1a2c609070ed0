#include <cmath>

#include <gtest/gtest.h>

#include "core/report/summary/summary.h"
#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

Report withFloors() {
  Report report = test::sampleReport(2, {"a", "floor.repeat", "floor.threads"});
  report.runs[2].role = RunRole::Floor;
  report.runs[3].role = RunRole::Floor;
  return report;
}

TEST(SummaryFloor, IsTheWorstOfItsRuns) {
  const Report report = withFloors();
  const auto rows = summarise(report, "rms_rel");
  const auto floor = summaryFloor(rows, "rms_rel");
  ASSERT_EQ(floor.size(), summaryColumns().size());
  EXPECT_EQ(floor[0], rows[2].cells[0].value) << "floor.threads, three times the first variant";
  EXPECT_TRUE(std::isnan(floor.back())) << "no gradients of parameters";
  const auto worstCosine = summaryFloor(summarise(report, "cosine"), "cosine");
  EXPECT_EQ(worstCosine[0], summarise(report, "cosine")[2].cells[0].value);
}

TEST(SummaryFloor, CoversWhatIsNoWorse) {
  const Report report = withFloors();
  const auto rows = summarise(report, "rms_rel");
  const auto floor = summaryFloor(rows, "rms_rel");
  EXPECT_TRUE(isWithinFloor(rows[0].cells[0], floor, 0, "rms_rel"));
  EXPECT_FALSE(isWithinFloor({.value = 1, .site = {}}, floor, 0, "rms_rel"));
  EXPECT_FALSE(isWithinFloor(rows[0].cells[0], {}, 0, "rms_rel"));
}

TEST(SummaryFloor, IsUnknownWithoutRunsOfItAndForTheScaleOfTheReference) {
  const Report plain = test::sampleReport(2, {"a"});
  EXPECT_TRUE(summaryFloor(summarise(plain, "rms_rel"), "rms_rel").empty());
  const Report report = withFloors();
  EXPECT_TRUE(summaryFloor(summarise(report, "rms_rel"), "ref_scale").empty());
}

}  // namespace
}  // namespace ulp::report
