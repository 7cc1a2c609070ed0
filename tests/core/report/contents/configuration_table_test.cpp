#include "core/report/contents/configuration_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/report/contents/readable_report.h"
#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

using testing::ElementsAre;

Report configured() {
  Report report = test::sampleReport(1, {"bf16", "fp16"});
  report.effectiveJson =
      R"({"reference": {"seed": {"value": "0", "origin": "default"},
                        "dtype": {"value": "float32", "origin": "reference_fp32"}},
          "bf16": {"seed": {"value": "0", "origin": "default"},
                   "dtype": {"value": "bfloat16", "origin": "variant"}},
          "fp16": {"seed": {"value": "0", "origin": "default"},
                   "dtype": {"value": "float16", "origin": "variant"}, "path": {"value": ""}}})";
  return report;
}

std::vector<const Run*> allRuns(const Report& report) {
  std::vector<const Run*> runs;
  for (const Run& run : report.runs) {
    runs.push_back(&run);
  }
  return runs;
}

TEST(ConfigurationTable, NamesEveryValueItsOriginAndTheRunsThatHaveIt) {
  const Report report = configured();
  const auto table = configurationTable(report, allRuns(report));
  ASSERT_TRUE(table.has_value()) << table.error().message();
  ASSERT_EQ(table->rows.size(), 5U);
  EXPECT_THAT(table->rows[0], ElementsAre("dtype", "float32", "reference fp32", "reference"));
  EXPECT_THAT(table->rows[1], ElementsAre("dtype", "bfloat16", "variant", "bf16"));
  EXPECT_THAT(table->rows[2], ElementsAre("dtype", "float16", "variant", "fp16"));
  EXPECT_THAT(table->rows[3], ElementsAre("path", "–", "", "fp16"));
  EXPECT_THAT(table->rows[4], ElementsAre("seed", "0", "default", "all"));
}

TEST(ConfigurationTable, HoldsTheNamedRunsOnly) {
  const Report report = configured();
  const auto table = configurationTable(report, std::vector{&report.runs[1]});
  ASSERT_TRUE(table.has_value());
  EXPECT_THAT(table->rows, testing::SizeIs(2));
}

TEST(ConfigurationTable, SaysWhatCannotBeRead) {
  Report report = configured();
  report.effectiveJson = R"({"bf16": {"dtype": 3}})";
  const auto table = configurationTable(report, allRuns(report));
  ASSERT_FALSE(table.has_value());
  EXPECT_EQ(table.error().code(), ErrorCode::CorruptData);
}

TEST(ReadableReport, ShowsTheConfigurationWhenAsked) {
  const Report report = configured();
  ExportOptions options;
  EXPECT_TRUE(makeReadable(report, options)->configuration.rows.empty());
  options.hasConfiguration = true;
  EXPECT_EQ(makeReadable(report, options)->configuration.rows.size(), 5U);
}

TEST(ReadableReport, KeepsTheWorstRowsAndNamesTheRest) {
  Report report = test::sampleReport(3, {"bf16"});
  std::vector<Comparison>& rows = report.runs[1].comparisons;
  rows[1].variantNonFinite.nan = 2;
  ExportOptions options;
  options.maxRows = 3;
  options.completeData = "all.json";
  const auto readable = makeReadable(report, options);
  ASSERT_TRUE(readable.has_value());
  const TextTable& table = readable->tensors.front();
  ASSERT_EQ(table.rows.size(), 3U);
  // Not finite first, then by the first metric, which the sample makes grow along the rows.
  EXPECT_EQ(table.rows[0][0], rows[1].site.name);
  EXPECT_EQ(table.rows[1][0], rows.back().site.name);
  EXPECT_EQ(table.rows[2][0], rows[rows.size() - 2].site.name);
  EXPECT_THAT(table.note, testing::HasSubstr("The 3 worst of 12 tensors by RMS rel"));
  EXPECT_THAT(table.note, testing::HasSubstr("all.json"));
}

}  // namespace
}  // namespace ulp::report
