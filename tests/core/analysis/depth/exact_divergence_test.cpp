#include "core/analysis/depth/exact_divergence.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"

namespace ulp::analysis {
namespace {

/// A variant whose tensors are all equal to the reference's.
report::Report equalReport() {
  report::Report report = test::sampleReport(2, {"same"});
  report.metrics = {{"equal_fraction"}};
  for (report::Comparison& row : report.runs.back().comparisons) {
    row.metrics = {1};
  }
  return report;
}

report::Comparison& rowOf(report::Report& report, const std::string& name, Pass pass) {
  auto& rows = report.runs.back().comparisons;
  return *std::ranges::find_if(rows, [&](const report::Comparison& row) {
    return row.site.name == name && row.site.pass == pass;
  });
}

TEST(ExactDivergence, IsNoneWhereEveryElementIsEqual) {
  const report::Report report = equalReport();
  const auto divergence = exactDivergence(report, report.runs.back());
  ASSERT_TRUE(divergence.has_value());
  EXPECT_FALSE(divergence->first.has_value());
  EXPECT_EQ(divergence->equal(), divergence->tensors());
  EXPECT_EQ(divergence->tensors(), report.runs.back().comparisons.size());
}

TEST(ExactDivergence, OneElementOfMillionsIsADifference) {
  report::Report report = equalReport();
  rowOf(report, "decoder.1", Pass::Forward).metrics = {1 - 1e-9};
  const report::Run& run = report.runs.back();
  const auto divergence = exactDivergence(report, run);
  ASSERT_TRUE(divergence.has_value() && divergence->first);
  EXPECT_EQ(run.comparisons[*divergence->first].site.name, "decoder.1");
  EXPECT_EQ(divergence->tensors() - divergence->equal(), 1U);
}

TEST(ExactDivergence, AnotherPatternOfNonFiniteElementsIsADifference) {
  report::Report report = equalReport();
  report::Comparison& row = rowOf(report, "norm", Pass::Forward);
  row.referenceNonFinite.nan = 2;
  row.variantNonFinite.positiveInfinity = 2;
  EXPECT_FALSE(isEqual(report, row));
  row.variantNonFinite = row.referenceNonFinite;
  EXPECT_TRUE(isEqual(report, row));
}

TEST(ExactDivergence, FindsTheFirstOfEachPass) {
  report::Report report = equalReport();
  rowOf(report, "decoder.0", Pass::Backward).metrics = {0.5};
  rowOf(report, "norm", Pass::Backward).metrics = {0.25};
  const report::Run& run = report.runs.back();
  const auto divergence = exactDivergence(report, run);
  ASSERT_TRUE(divergence.has_value() && divergence->first);
  EXPECT_FALSE(divergence->passes[0].first);
  ASSERT_TRUE(divergence->passes[1].first);
  EXPECT_EQ(run.comparisons[*divergence->passes[1].first].site.name, "norm");
  EXPECT_EQ(divergence->first, divergence->passes[1].first);
}

TEST(ExactDivergence, RefusesAReportThatDoesNotTell) {
  report::Report report = equalReport();
  EXPECT_EQ(exactDivergence(report, report.runs.front()).error().code(),
            ErrorCode::InvalidArgument);
  report.metrics = {{"rms_rel"}};
  EXPECT_EQ(exactDivergence(report, report.runs.back()).error().code(), ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace ulp::analysis
