#include <cmath>

#include <gtest/gtest.h>

#include "core/report/contents/report_tables.h"
#include "core/report/tables/data_table.h"
#include "tests/support/data/report_builder.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::report {
namespace {

using test::kNan;

DataTable tableOf(const Report& report, const ExportOptions& options = {}) {
  return logProbabilityData(report, selectForExport(report, options).value());
}

Report withErrors() {
  Report report = test::sampleReport(1, {"bf16", "fp16", "floor.repeat"});
  report.runs[1].logProbabilities = LogProbabilityError{.tokens = 127,
                                                        .rms = 0.02,
                                                        .epsilon = 0.01,
                                                        .shareAbove = 0.25,
                                                        .positions = 4,
                                                        .sameTop = 3};
  report.runs[2].logProbabilities =
      LogProbabilityError{.nonFinite = 127, .mean = kNan, .rms = kNan, .epsilon = 0.01};
  report.runs[3].role = RunRole::Floor;
  report.runs[3].logProbabilities = LogProbabilityError{.tokens = 127, .epsilon = 0.01};
  return report;
}

TEST(LogProbabilityData, HasARowForEachRunInTheUnitsOfItsColumns) {
  const DataTable table = tableOf(withErrors());
  ASSERT_EQ(table.rows.size(), 3U);
  ASSERT_EQ(table.columns.size(), 15U);
  EXPECT_EQ(std::get<std::string>(table.rows[0][0]), "bf16");
  EXPECT_EQ(std::get<double>(table.rows[0][6]), 0.02);
  EXPECT_EQ(fullHeading(table.columns[9]), "difference, nats: above 0.01, %");
  EXPECT_EQ(std::get<double>(table.rows[0][9]), 25);
  EXPECT_EQ(std::get<double>(table.rows[0][14]), 75);
  EXPECT_EQ(std::get<std::string>(table.rows[2][0]), "floor.repeat (the same again)");
  EXPECT_FALSE(table.source.empty());
}

TEST(LogProbabilityData, IsNaNWhereNoTokenIsFinite) {
  const DataTable table = tableOf(withErrors());
  EXPECT_EQ(std::get<double>(table.rows[1][2]), 127);
  EXPECT_TRUE(std::isnan(std::get<double>(table.rows[1][6])));
  EXPECT_TRUE(std::isnan(std::get<double>(table.rows[1][14])));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[2][14])) << "no logits";
}

TEST(LogProbabilityData, HasTheVariantsThatWereAskedFor) {
  const DataTable table = tableOf(withErrors(), {{}, {}, {"fp16"}});
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(std::get<std::string>(table.rows[0][0]), "fp16");
  EXPECT_TRUE(tableOf(test::sampleReport(1, {"bf16"})).rows.empty());
}

}  // namespace
}  // namespace ulp::report
