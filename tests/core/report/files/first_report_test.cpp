#include <gtest/gtest.h>

#include "core/report/model/report.h"
#include "tests/support/data/fixture_case.h"

namespace ulp::report {
namespace {

/// Of 2026-11-21, and never written again.
TEST(FirstReport, OpensWithTheValuesThatWereWritten) {
  const auto loaded = loadReport(test::fixture("reports/first"));
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Report& report = *loaded->report;
  ASSERT_EQ(report.runs.size(), 5U);
  EXPECT_EQ(report.reference, "reference");
  EXPECT_EQ(report.runs[0].loss, 13.747271537780762);
  const report::Run& run = report.runs[1];
  EXPECT_EQ(run.name, "bf16");
  EXPECT_EQ(run.status, RunStatus::Finished);
  EXPECT_EQ(run.loss, 13.748733520507812);
  EXPECT_EQ(run.peakBytes, 1466454016U);
  ASSERT_EQ(run.comparisons.size(), 247U);
  const Comparison& row = run.comparisons[3];
  EXPECT_EQ(row.site.name, "model.layers.0.mlp");
  EXPECT_EQ(row.site.pass, Pass::Forward);
  EXPECT_EQ(row.shape, (std::vector<std::int64_t>{1, 128, 576}));
  const auto metric = [&](const char* id) {
    return row.metrics.at(static_cast<std::size_t>(report.metricIndex(id)));
  };
  EXPECT_EQ(metric("rms_rel"), 0.005251701936455313);
  EXPECT_EQ(metric("ulp.max"), 116543);
  EXPECT_EQ(metric("quantiles.p999"), 0.095703125);
  ASSERT_EQ(row.worst.size(), 8U);
  EXPECT_EQ(row.worst[0].index, (std::vector<std::int64_t>{0, 27, 247}));
  EXPECT_EQ(row.worst[0].variant, -22.75);
}

}  // namespace
}  // namespace ulp::report
