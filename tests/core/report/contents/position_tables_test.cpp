#include "core/report/contents/position_tables.h"

#include <cmath>
#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/report/contents/readable_report.h"
#include "tests/support/data/position_report.h"

namespace ulp::report {
namespace {

using testing::HasSubstr;

ExportSelection positionSelection(const Report& report, const ExportOptions& options = {}) {
  auto selection = selectForExport(report, options);
  EXPECT_TRUE(selection.has_value());
  return selection.value_or(ExportSelection{});
}

double rootMeanSquare(double a, double b) {
  return std::sqrt((a * a + b * b) / 2);
}

TEST(PositionTables, TheSummarySetsPromptsApartFromWhatWasGenerated) {
  const Report report = test::positionReport();
  const DataTable table = positionSummaryData(report, positionSelection(report));
  ASSERT_EQ(table.rows.size(), 2U);
  ASSERT_EQ(table.columns.size(), 10U);
  EXPECT_EQ(fullHeading(table.columns[1]), "prompt: last layer, %");
  EXPECT_EQ(fullHeading(table.columns[5]), "generated: logits, %");
  const std::vector<DataCell>& cells = table.rows[1];
  EXPECT_EQ(std::get<std::string>(cells[0]), "fp8");
  const auto generated = [](int row) {
    return 200 * rootMeanSquare(test::positionErrorAt(row, 3), test::positionErrorAt(row, 4));
  };
  EXPECT_DOUBLE_EQ(std::get<double>(cells[4]), generated(2)) << "decoder.1";
  EXPECT_DOUBLE_EQ(std::get<double>(cells[5]), generated(4)) << "logits";
  EXPECT_DOUBLE_EQ(std::get<double>(cells[3]), 0) << "other top tokens of the prompt";
  EXPECT_DOUBLE_EQ(std::get<double>(cells[6]), 25) << "one of four";
  EXPECT_DOUBLE_EQ(std::get<double>(cells[7]), 200 * test::positionErrorAt(4, 4));
  EXPECT_DOUBLE_EQ(std::get<double>(cells[8]), 4) << "the first other top token";
  EXPECT_DOUBLE_EQ(std::get<double>(cells[9]), 9) << "not finite";
}

TEST(PositionTables, EveryPositionHasARow) {
  const Report report = test::positionReport();
  const DataTable table = positionsData(report, positionSelection(report, {.runs = {"bf16"}}), {});
  ASSERT_EQ(table.rows.size(), 5U);
  const std::vector<DataCell>& cells = table.rows[2];
  EXPECT_EQ(std::get<std::string>(cells[0]), "bf16");
  EXPECT_DOUBLE_EQ(std::get<double>(cells[1]), 2);
  EXPECT_EQ(std::get<std::string>(cells[2]), "prompt");
  EXPECT_EQ(std::get<std::string>(table.rows[3][2]), "generated");
  EXPECT_DOUBLE_EQ(std::get<double>(cells[3]), 100 * test::positionErrorAt(2, 2));
  EXPECT_DOUBLE_EQ(std::get<double>(cells[4]), 100 * test::positionErrorAt(4, 2));
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[4][5]), 50);
  EXPECT_DOUBLE_EQ(std::get<double>(table.rows[4][6]), 1);
}

TEST(PositionTables, WhatIsNoNumberIsNoGap) {
  Report report = test::positionReport(1);
  const DataTable table = positionsData(report, positionSelection(report), {});
  EXPECT_TRUE(std::isnan(std::get<double>(table.rows[0][3]))) << "decoder.0 has nothing else";
  report.runs[1].positions.rows[1].errors[0] = {};
  EXPECT_TRUE(std::holds_alternative<std::monostate>(
      positionsData(report, positionSelection(report), {}).rows[0][3]));
}

TEST(PositionTables, LogitsThatWereNotCapturedAreGaps) {
  Report report = test::positionReport();
  for (std::size_t run = 1; run < 3; ++run) {
    report.runs[run].positions.rows.pop_back();
    report.runs[run].positions.tops.clear();
  }
  const DataTable table = positionSummaryData(report, positionSelection(report));
  for (const std::size_t column : {2U, 3U, 5U, 6U, 7U, 8U}) {
    EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[0][column])) << column;
  }
}

TEST(PositionTables, AReportWithoutPositionsHasNone) {
  const Report report = test::sampleReport(2, {"bf16"});
  EXPECT_TRUE(positionSummaryData(report, positionSelection(report)).rows.empty());
  EXPECT_TRUE(positionsData(report, positionSelection(report), {}).rows.empty());
  EXPECT_TRUE(positionTables(report, positionSelection(report), {}).empty());
}

TEST(PositionTables, OfLongSequencesTheLastPositionsStayForReading) {
  const Report report = test::positionReport();
  const auto tables = positionTables(report, positionSelection(report), {.maxRows = 2});
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].title, "Positions: bf16");
  ASSERT_EQ(tables[0].rows.size(), 2U);
  EXPECT_EQ(tables[0].rows[0][0], "3");
  EXPECT_EQ(tables[0].note, "The last 2 of 5 positions.");
}

TEST(PositionTables, ShowTokensWhereTheyAreKnown) {
  const Report report = test::positionReport();
  const ExportOptions options{.tokens = {"The", "␣cat", "#17", "␣sat"}};
  const DataTable table = positionsData(report, positionSelection(report), options);
  EXPECT_EQ(table.columns[3].title, "token");
  EXPECT_EQ(std::get<std::string>(table.rows[3][3]), "␣sat");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[4][3])) << "the file ends";
  EXPECT_EQ(positionTables(report, positionSelection(report), options)[0].rows[1][2], "␣cat");
}

TEST(PositionTables, AVariantThatIsEqualEverywhereHasNoTableForReading) {
  Report report = test::positionReport();
  PositionErrors& positions = report.runs[1].positions;
  for (PositionRow& row : positions.rows) {
    row.errors.assign(5, {.tokens = {.tokens = 2, .rmsDiff = 0, .refScale = 2}});
  }
  ASSERT_EQ(positionTables(report, positionSelection(report), {}).size(), 1U);
  EXPECT_EQ(positionSummaryData(report, positionSelection(report)).rows.size(), 2U);
  positions.rows[0].errors[0].nonFinite = 1;
  EXPECT_EQ(positionTables(report, positionSelection(report), {}).size(), 2U);
}

TEST(PositionTables, ArePartsOfADocument) {
  const auto titles = [](const ExportOptions& options) {
    std::vector<std::string> found;
    const auto document = makeReadable(test::positionReport(), options, PartOrder::SummaryLast);
    EXPECT_TRUE(document);
    for (const DocumentPart& part : document->parts) {
      if (const auto* table = std::get_if<TextTable>(&part)) {
        found.push_back(table->title);
      }
    }
    return found;
  };
  EXPECT_THAT(titles({}), testing::IsSupersetOf({"Error by position", "Positions: fp8"}));
  const auto summary = titles({.isSummaryOnly = true});
  EXPECT_THAT(summary, testing::Contains("Error by position"));
  EXPECT_THAT(summary, testing::Not(testing::Contains("Positions: fp8")));
}

}  // namespace
}  // namespace ulp::report
