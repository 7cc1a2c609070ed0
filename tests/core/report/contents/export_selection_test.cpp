#include "core/report/contents/export_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

std::vector<std::string> idsOf(const std::vector<SelectedMetric>& metrics) {
  std::vector<std::string> ids;
  for (const SelectedMetric& metric : metrics) {
    ids.push_back(metric.id);
  }
  return ids;
}

TEST(ExportSelection, TakesEverythingWithoutOptions) {
  const Report report = test::sampleReport(2, {"a", "b"});
  const auto selection = selectForExport(report, {});
  ASSERT_TRUE(selection.has_value());
  EXPECT_EQ(selection->runs.size(), 3U);
  EXPECT_EQ(selection->variants.size(), 2U);
  EXPECT_EQ(selection->metrics.size(), 5U);
  EXPECT_EQ(selection->rows(report.runs[1]).size(), report.runs[1].comparisons.size());
}

TEST(ExportSelection, TakesThePassesThatTheReportHas) {
  using testing::ElementsAre;
  Report report = test::sampleReport(2, {"a", "b"});
  EXPECT_THAT(selectForExport(report, {})->passes, ElementsAre(Pass::Forward, Pass::Backward));
  report.runs[2].comparisons[0].site.pass = Pass::Optimizer;
  EXPECT_THAT(selectForExport(report, {})->passes,
              ElementsAre(Pass::Forward, Pass::Backward, Pass::Optimizer));
  for (report::Run& run : report.runs) {
    std::erase_if(run.comparisons,
                  [](const Comparison& row) { return row.site.pass != Pass::Forward; });
  }
  EXPECT_THAT(selectForExport(report, {})->passes, ElementsAre(Pass::Forward));
  report.runs.resize(1);
  EXPECT_EQ(selectForExport(report, {})->passes.size(), kPasses.size());
}

TEST(ExportSelection, KeepsTheOrderThatWasAskedFor) {
  const Report report = test::sampleReport(2, {"a", "b"});
  const auto selection =
      selectForExport(report, {{Pass::Backward}, {"ulp.max", "rms_diff"}, {"b", "a"}});
  ASSERT_TRUE(selection.has_value());
  EXPECT_EQ(selection->variants[0]->name, "b");
  EXPECT_THAT(idsOf(selection->metrics), testing::ElementsAre("ulp.max", "rms_diff"));
  EXPECT_EQ(selection->metrics[0].column, 4U);
  for (const Comparison* row : selection->rows(report.runs[1])) {
    EXPECT_EQ(row->site.pass, Pass::Backward);
  }
}

TEST(ExportSelection, KnowsWhichMetricsAreOneWhereAllIsEqual) {
  Report report = test::sampleReport(2, {"a"});
  report.metrics = {{"rms_diff"}, {"cosine"}, {"sqnr_db"}};
  const auto selection = selectForExport(report, {});
  ASSERT_TRUE(selection.has_value());
  EXPECT_FALSE(selection->metrics[0].isPartOfOne);
  EXPECT_TRUE(selection->metrics[1].isPartOfOne);
  EXPECT_FALSE(selection->metrics[2].isPartOfOne);
  EXPECT_TRUE(selection->metrics[2].isHigherBetter);
}

TEST(ExportSelection, NamesWhatTheReportHolds) {
  const Report report = test::sampleReport(2, {"a"});
  const auto metric = selectForExport(report, {{}, {"rms"}, {}});
  ASSERT_FALSE(metric.has_value());
  EXPECT_EQ(metric.error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(metric.error().message(),
            "unknown metric 'rms'; the report holds rms_diff, rms_rel, cosine, ulp.mean, ulp.max");
  const auto run = selectForExport(report, {{}, {}, {"x"}});
  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().message(), "unknown run 'x'; the report holds reference, a");
}

TEST(ExportSelection, ShowsTheMainMetricsUnlessSomeAreNamed) {
  Report report = test::sampleReport(2, {"a"});
  report.metrics.push_back({"kl"});
  for (Comparison& row : report.runs[1].comparisons) {
    row.metrics.push_back(0);
  }
  const auto all = selectForExport(report, {});
  EXPECT_THAT(idsOf(readableMetrics(*all)),
              testing::ElementsAre("rms_rel", "rms_diff", "cosine", "ulp.mean", "ulp.max"));
  EXPECT_THAT(idsOf(summaryMetrics(*all)), testing::ElementsAre("rms_rel", "rms_diff"));
  const auto named = selectForExport(report, {{}, {"kl"}, {}});
  EXPECT_THAT(idsOf(readableMetrics(*named)), testing::ElementsAre("kl"));
  EXPECT_THAT(idsOf(summaryMetrics(*named)), testing::ElementsAre("kl"));
}

TEST(ExportSelection, TitlesMetricsByTheRegistryOrTheirId) {
  Report report = test::sampleReport(1, {"a"});
  report.metrics = {{"rms_diff"}, {"from_the_future"}};
  const auto selection = selectForExport(report, {});
  EXPECT_EQ(selection->metrics[0].title, "RMS diff");
  EXPECT_EQ(selection->metrics[1].title, "from_the_future");
}

}  // namespace
}  // namespace ulp::report
