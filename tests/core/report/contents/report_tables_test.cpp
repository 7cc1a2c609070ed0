#include "core/report/contents/report_tables.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/report/tables/data_table.h"
#include "tests/support/data/report_builder.h"

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
  const DataTable table = runsData(report, selectionOf(report));
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
  const DataTable table = tensorsData(report, selectionOf(report));
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
  const DataTable table = depthData(report, selection, selection.metrics.front());
  ASSERT_EQ(table.columns.size(), 5U);
  EXPECT_EQ(table.columns[3].title, "bf16");
  EXPECT_EQ(table.columns[3].group, selection.metrics.front().label);
  EXPECT_EQ(table.rows.size(), report.runs[1].comparisons.size());
  EXPECT_TRUE(std::holds_alternative<double>(table.rows[0][3]));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[0][4]));
}

/// Three samples of the variant `a` and of a run of the noise floor that is twice as far off.
Report reportOfSamples() {
  Report report = test::sampleReport(2, {"a", "floor.repeat"});
  report.provenance.samples = 3;
  for (Run& run : report.runs) {
    run.samples = 3;
    for (Comparison& row : run.comparisons) {
      // t of two degrees of freedom is 4.30, so that the interval is ± 0.0248.
      row.spread.assign(row.metrics.size(), {.sd = 0.01, .minimum = 0, .maximum = 1});
      row.gainError = 0.002;
      row.gainSpread = {.sd = 0.0001, .minimum = 0, .maximum = 1};
    }
  }
  report.runs[2].role = RunRole::Floor;
  report.runs[2].overrides.clear();
  return report;
}

std::vector<std::string> headings(const DataTable& table, std::size_t first, std::size_t count) {
  std::vector<std::string> found;
  for (std::size_t i = first; i < first + count; ++i) {
    found.push_back(fullHeading(table.columns.at(i)));
  }
  return found;
}

TEST(ReportTables, SummaryHasIntervalsAndTheNoiseFloor) {
  const Report report = reportOfSamples();
  const ExportSelection selection = selectionOf(report, {{}, {"rms_rel"}, {}});
  const DataTable table = summaryData(report, selection, selection.metrics.front());
  EXPECT_THAT(headings(table, 0, 5),
              testing::ElementsAre("variant",
                                   "noise floor",
                                   "forward: embeddings, %",
                                   "forward: embeddings ±, %",
                                   "forward: embeddings within floor"));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(std::get<double>(table.rows[0][1]), 0);
  EXPECT_EQ(std::get<double>(table.rows[1][1]), 1);
  EXPECT_NEAR(std::get<double>(table.rows[0][3]), 2.484, 0.001);
  EXPECT_EQ(std::get<double>(table.rows[0][4]), 1) << "half of the floor";
  EXPECT_EQ(std::get<double>(table.rows[1][4]), 0) << "the floor itself";
  EXPECT_EQ(table.rows[0].size(), table.columns.size());
}

TEST(ReportTables, DepthNamesTheNoiseFloorAndHasIntervals) {
  Report report = reportOfSamples();
  report.runs[2].comparisons.pop_back();
  const ExportSelection selection = selectionOf(report, {{}, {"rms_rel"}, {}});
  const DataTable table = depthData(report, selection, selection.metrics.front());
  EXPECT_THAT(headings(table, 3, 6),
              testing::ElementsAre("RMS rel: a, %",
                                   "RMS rel: a ±, %",
                                   "RMS rel: a within floor",
                                   "RMS rel: floor.repeat (the same again), %",
                                   "RMS rel: floor.repeat (the same again) ±, %",
                                   "RMS rel: floor.repeat (the same again) within floor"));
  EXPECT_NEAR(std::get<double>(table.rows[0][4]), 2.484, 0.001);
  EXPECT_EQ(std::get<double>(table.rows[0][5]), 1);
  EXPECT_EQ(std::get<double>(table.rows[0][8]), 0);
  EXPECT_EQ(table.rows.back().size(), table.columns.size());
  EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows.back()[7]));
  EXPECT_EQ(std::get<double>(table.rows.back()[5]), 0) << "no floor is known there";
}

TEST(ReportTables, TensorsHaveTheColumnsOfSamplesAndFloor) {
  const Report report = reportOfSamples();
  const DataTable table = tensorsData(report, selectionOf(report, {{}, {"rms_rel"}, {}}));
  EXPECT_THAT(headings(table, 12, 10),
              testing::ElementsAre("samples",
                                   "gain error, %",
                                   "gain error sd, %",
                                   "gain error ±, %",
                                   "gain error systematic",
                                   "noise floor",
                                   "RMS rel sd, %",
                                   "RMS rel ±, %",
                                   "RMS rel floor, %",
                                   "RMS rel within floor"));
  EXPECT_EQ(std::get<double>(table.rows.front()[12]), 3);
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows.front()[13]), 0.2);
  EXPECT_EQ(std::get<double>(table.rows.front()[17]), 0);
  EXPECT_EQ(std::get<double>(table.rows.back()[17]), 1);
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows.front()[20]), 0.2);
  EXPECT_EQ(std::get<double>(table.rows.front()[21]), 1);
}

TEST(ReportTables, TensorsNameTheirKernelsWhereTheReportKnowsThem) {
  Report report = test::sampleReport(1, {"bf16"});
  const std::size_t without = tensorsData(report, selectionOf(report)).columns.size();
  report.runs[0].kernels.names = {"ampere_sgemm_128x64_tn"};
  report.runs[0].kernels.of(Pass::Forward) = {{"decoder.0", {0}}};
  report.runs[1].kernels.names = {"pad", "nvjet_sm90_tst_64x8_1x1_TN", "void other::pad<int>()"};
  report.runs[1].kernels.of(Pass::Forward) = {{"decoder.0", {0, 1, 2}}};
  const DataTable table = tensorsData(report, selectionOf(report));
  ASSERT_EQ(table.columns.size(), without + 2);
  EXPECT_THAT(headings(table, without, 2),
              testing::ElementsAre("reference kernels", "variant kernels"));
  EXPECT_EQ(std::get<std::string>(table.rows[1][without]), "gemm f32 128x64 (cublas)");
  EXPECT_EQ(std::get<std::string>(table.rows[1][without + 1]), "pad, gemm bf16 64x8 (nvjet)");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[0][without]));
}

TEST(ReportTables, RunsOfTheNoiseFloorSayWhatTheyMeasure) {
  const Report report = reportOfSamples();
  const DataTable table = runsData(report, selectionOf(report));
  EXPECT_EQ(std::get<std::string>(table.rows[1][5]), "precision.compute_dtype: bfloat16");
  EXPECT_EQ(std::get<std::string>(table.rows[2][5]), "floor.repeat (the same again)");
  EXPECT_EQ(table.columns.back().title, "noise floor");
  EXPECT_EQ(std::get<double>(table.rows[2].back()), 1);
  EXPECT_EQ(std::get<double>(table.rows[0].back()), 0);
}

TEST(ReportTables, OfOneSampleHaveItsSignedErrors) {
  Report report = test::sampleReport(2, {"a"});
  report.runs[1].comparisons[0].gainError = -0.003;
  const DataTable table = tensorsData(report, selectionOf(report, {{}, {"rms_rel"}, {}}));
  EXPECT_EQ(fullHeading(table.columns.back()), "gain error, %");
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[0].back()), -0.3);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[1].back()));
}

TEST(ReportTables, SayWhatTheirNumbersRestOn) {
  const Report report = test::sampleReport(2, {"a"});
  const ExportSelection selection = selectionOf(report);
  const std::string source = "SmolLM2-135M · weights aa · tokens bb";
  EXPECT_THAT(summaryData(report, selection, selection.metrics.front()).source,
              testing::StartsWith(source));
  EXPECT_THAT(depthData(report, selection, selection.metrics.front()).source,
              testing::StartsWith(source));
  EXPECT_THAT(runsData(report, selection).source, testing::StartsWith(source));
  EXPECT_THAT(tensorsData(report, selection).source, testing::StartsWith(source));
}

}  // namespace
}  // namespace ulp::report
