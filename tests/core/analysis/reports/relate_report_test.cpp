#include "core/analysis/reports/relate_report.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::analysis {
namespace {

using test::kInfinity;

const report::Comparison& rowOf(const report::Report& report,
                                std::string_view run,
                                std::size_t row) {
  return report.findRun(run)->comparisons.at(row);
}

TEST(RelateReport, DividesByTheBaselinesErrors) {
  const report::Report report = test::sampleReport(2, {"a", "b", "c"});
  const auto related = relateReport(report, "b", Relation::Ratio);
  ASSERT_TRUE(related.has_value()) << related.error().message();
  EXPECT_EQ(related->reference, "b");
  ASSERT_EQ(related->runs.size(), 3U);
  EXPECT_EQ(related->runs[0].name, "b");
  EXPECT_TRUE(related->runs[0].comparisons.empty());
  for (std::size_t row = 0; row < 8; ++row) {
    EXPECT_DOUBLE_EQ(rowOf(*related, "a", row).metrics[1], 0.5);
    EXPECT_DOUBLE_EQ(rowOf(*related, "c", row).metrics[1], 1.5);
  }
  EXPECT_EQ(rowOf(*related, "a", 3).site, rowOf(report, "a", 3).site);
  EXPECT_TRUE(rowOf(*related, "a", 0).worst.empty());
}

TEST(RelateReport, EndsWhenItIsAskedTo) {
  std::stop_source stop;
  stop.request_stop();
  const auto related =
      relateReport(test::sampleReport(2, {"a", "b"}), "b", Relation::Ratio, stop.get_token());
  ASSERT_FALSE(related);
  EXPECT_EQ(related.error().code(), ErrorCode::Cancelled);
}

TEST(RelateReport, SubtractsTheBaselinesErrors) {
  const report::Report report = test::sampleReport(2, {"a", "b"});
  const auto related = relateReport(report, "b", Relation::Difference);
  ASSERT_TRUE(related.has_value());
  EXPECT_DOUBLE_EQ(rowOf(*related, "a", 4).metrics[1], 0.005 - 0.010);
}

TEST(RelateReport, LeavesUlpOfTwoFormatsUndefined) {
  report::Report report = test::sampleReport(2, {"a", "b"});
  ASSERT_EQ(report.metrics[3].id, "ulp.mean");
  report.runs[1].comparisons[0].variantDType = "float16";
  report.runs[1].comparisons[2].metrics[3] = 1.5e36;
  for (const Relation relation : {Relation::Ratio, Relation::Difference}) {
    const auto related = relateReport(report, "b", relation);
    ASSERT_TRUE(related.has_value());
    EXPECT_TRUE(std::isnan(rowOf(*related, "a", 0).metrics[3])) << "float16 and bfloat16";
    EXPECT_FALSE(std::isnan(rowOf(*related, "a", 0).metrics[1])) << "errors are related";
    EXPECT_FALSE(std::isnan(rowOf(*related, "a", 1).metrics[3]));
    EXPECT_TRUE(std::isnan(rowOf(*related, "a", 2).metrics[3])) << "it says nothing";
  }
}

TEST(RelateReport, FindsRowsThatStandElsewhereAndLeavesMissingOnesUndefined) {
  report::Report report = test::sampleReport(2, {"a", "b"});
  auto& rows = report.runs[2].comparisons;
  rows.erase(rows.begin() + 1);
  const auto related = relateReport(report, "b", Relation::Ratio);
  ASSERT_TRUE(related.has_value());
  EXPECT_DOUBLE_EQ(rowOf(*related, "a", 0).metrics[1], 0.5);
  EXPECT_TRUE(std::isnan(rowOf(*related, "a", 1).metrics[1]));
  EXPECT_DOUBLE_EQ(rowOf(*related, "a", 2).metrics[1], 0.5);
}

TEST(RelateReport, RelatesEveryRunOfManyInTheirOrder) {
  std::vector<std::string> names;
  for (int i = 0; i < 20; ++i) {
    names.push_back("v" + std::to_string(i));
  }
  report::Report report = test::sampleReport(3, names);
  // Some runs lack a row, so that what follows stands elsewhere.
  for (std::size_t run = 2; run < report.runs.size(); run += 3) {
    auto& rows = report.runs[run].comparisons;
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(run % rows.size()));
  }
  const auto related = relateReport(report, "v0", Relation::Ratio);
  ASSERT_TRUE(related.has_value());
  ASSERT_EQ(related->runs.size(), 20U);
  for (std::size_t run = 1; run < related->runs.size(); ++run) {
    const report::Run& made = related->runs[run];
    const report::Run& source = report.runs[run + 1];
    EXPECT_EQ(made.name, source.name);
    ASSERT_EQ(made.comparisons.size(), source.comparisons.size());
    for (std::size_t row = 0; row < made.comparisons.size(); ++row) {
      EXPECT_EQ(made.comparisons[row].site, source.comparisons[row].site);
      EXPECT_NEAR(made.comparisons[row].metrics[1], static_cast<double>(run) + 1, 1e-9);
    }
  }
}

TEST(RelateReport, TakesEqualErrorsAsOneAndKeepsNonFiniteOnes) {
  report::Report report = test::sampleReport(1, {"a", "b"});
  auto& a = report.runs[1].comparisons[0];
  auto& b = report.runs[2].comparisons[0];
  a.metrics = {0, 1, kInfinity, std::nan(""), 3};
  b.metrics = {0, 0, kInfinity, 1, kInfinity};
  a.variantNonFinite = {3, 0, 0};
  b.variantNonFinite = {0, 2, 0};
  const auto related = relateReport(report, "b", Relation::Ratio);
  ASSERT_TRUE(related.has_value());
  EXPECT_THAT(rowOf(*related, "a", 0).metrics,
              testing::ElementsAre(1, kInfinity, 1, testing::IsNan(), 0));
  EXPECT_EQ(rowOf(*related, "a", 0).variantNonFinite.nan, 3U);
  EXPECT_EQ(rowOf(*related, "a", 0).referenceNonFinite.positiveInfinity, 2U);
}

TEST(RelateReport, RefusesABaselineWithoutErrors) {
  const report::Report report = test::sampleReport(1, {"a"});
  EXPECT_EQ(relateReport(report, "reference", Relation::Ratio).error().message(),
            "'reference' has no errors that others could be related to");
  EXPECT_FALSE(relateReport(report, "x", Relation::Ratio).has_value());
}

}  // namespace
}  // namespace ulp::analysis
