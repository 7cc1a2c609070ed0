#include "core/report/report_tables.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/report/table_writers/format_table.h"
#include "tests/support/report_builder.h"

namespace ulp::report {
namespace {

ExportSelection selectionOf(const Report& report, const ExportOptions& options = {}) {
  auto selection = selectForExport(report, options);
  EXPECT_TRUE(selection.has_value());
  return selection.value_or(ExportSelection{});
}

TEST(ReportTables, SummaryHasTheMetricInItsUnit) {
  const Report report = test::sampleReport(3, {"bf16", "fp16"});
  const ExportSelection selection = selectionOf(report, {{Pass::Forward}, {"rms_rel"}, {"fp16"}});
  const DataTable table = summaryData(report, selection, selection.metrics.front());
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.columns.size(), 7U) << "the variant and six columns of the forward pass";
  EXPECT_EQ(fullHeading(table.columns[1]), "forward: embeddings, %");
  EXPECT_EQ(std::get<std::string>(table.rows[0][0]), "fp16");
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[0][1]),
                   100 * report.runs[2].comparisons[0].metrics[selection.metrics.front().column]);
}

TEST(ReportTables, RunsThatAreNotFinishedHaveGaps) {
  Report report = test::sampleReport(1, {"bf16"});
  report.runs[1].status = RunStatus::Failed;
  report.runs[1].error = "out of memory";
  const DataTable table = runsData(selectionOf(report));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[0][3]), 1.25);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[1][2]));
  EXPECT_EQ(std::get<std::string>(table.rows[1][6]), "out of memory");
}

TEST(ReportTables, TensorsHoldEveryRowAndTellUndefinedFromNotFinite) {
  Report report = test::sampleReport(2, {"bf16"});
  std::vector<Comparison>& rows = report.runs[1].comparisons;
  rows[0].metrics[0] = std::nan("");
  test::fillWithNan(rows[1]);
  const DataTable table = tensorsData(selectionOf(report));
  ASSERT_EQ(table.rows.size(), rows.size());
  constexpr std::size_t kFirstMetric = 10;
  EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[0][kFirstMetric]));
  EXPECT_TRUE(std::isnan(std::get<double>(table.rows[1][kFirstMetric])));
  EXPECT_GT(std::get<double>(table.rows[1].back()), 0);
}

TEST(ReportTables, DepthHasAColumnAVariantAndGapsWhereOneLacksARow) {
  Report report = test::sampleReport(2, {"bf16", "fp16"});
  report.runs[2].comparisons.erase(report.runs[2].comparisons.begin());
  const ExportSelection selection = selectionOf(report);
  const DataTable table = depthData(selection, selection.metrics.front());
  ASSERT_EQ(table.columns.size(), 5U);
  EXPECT_EQ(table.columns[3].title, "bf16");
  EXPECT_EQ(table.columns[3].group, selection.metrics.front().label);
  EXPECT_EQ(table.rows.size(), report.runs[1].comparisons.size());
  EXPECT_TRUE(std::holds_alternative<double>(table.rows[0][3]));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[0][4]));
}

}  // namespace
}  // namespace ulp::report
