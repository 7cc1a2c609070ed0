#include "core/analysis/findings/findings_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/verdict/conclusions.h"
#include "core/report/formats/format.h"
#include "tests/support/data/report_builder.h"

namespace ulp::analysis {
namespace {

using report::Finding;
using report::FindingSeverity;
using testing::ElementsAre;

Finding foundIn(std::vector<std::string> runs, FindingSeverity severity, const char* rule) {
  return {.rule = rule,
          .severity = severity,
          .title = {"%1 grows", {"the error"}},
          .sites = {{.name = "decoder.1", .layer = 1, .pass = Pass::Backward},
                    {.name = "decoder.0", .layer = 0, .pass = Pass::Backward}},
          .runs = std::move(runs)};
}

TEST(FindingsTable, HasTheGravestFirstWithPlaceRunsAndTitleOfTheRule) {
  const report::Report report = test::sampleReport(2, {"bf16", "fp16"});
  Finding whole = foundIn({}, FindingSeverity::Broken, "first_token");
  whole.sites.clear();
  const std::vector<Finding> findings{foundIn({"bf16"}, FindingSeverity::Note, "error_jump"),
                                      foundIn({"bf16", "fp16"}, FindingSeverity::Look, "culprit"),
                                      whole};
  const auto table = findingsTable(report, findings, {});
  ASSERT_TRUE(table) << table.error().message();
  EXPECT_THAT(
      table->rows,
      ElementsAre(
          ElementsAre("broken", "First token", "whole run", "all 2", "the error grows"),
          ElementsAre("look", "Culprit", "decoder.1, backward", "all 2", "the error grows"),
          ElementsAre(
              "note", "Jump of the error", "decoder.1, backward", "bf16", "the error grows")));
}

TEST(FindingsTable, HoldsWhatIsAboutTheChosenRunsAndPasses) {
  const report::Report report = test::sampleReport(2, {"bf16", "fp16"});
  const std::vector<Finding> findings{foundIn({"bf16"}, FindingSeverity::Look, "error_jump")};
  EXPECT_EQ(findingsTable(report, findings, {.runs = {"bf16"}})->rows.size(), 1U);
  EXPECT_TRUE(findingsTable(report, findings, {.runs = {"fp16"}})->rows.empty());
  EXPECT_TRUE(findingsTable(report, findings, {.passes = {Pass::Forward}})->rows.empty());
  EXPECT_FALSE(findingsTable(report, findings, {.runs = {"nonsense"}}).has_value());
}

TEST(FindingsTable, HoldsThatARunFailedBeforeAnythingWasCompared) {
  report::Report report = test::sampleReport(2, {"bf16", "fp16"});
  report.runs[2].comparisons.clear();
  const std::vector<Finding> findings{foundIn({"fp16"}, FindingSeverity::Broken, "failed_run")};
  EXPECT_EQ(findingsTable(report, findings, {})->rows.size(), 1U);
  EXPECT_TRUE(findingsTable(report, findings, {.runs = {"bf16"}})->rows.empty());
}

TEST(Conclusions, AreInEveryFormatForReading) {
  report::Report report = test::sampleReport(2, {"bf16", "fp16"});
  report::setFindings(report, {foundIn({"bf16"}, FindingSeverity::Look, "culprit")});
  for (const char* id : {"text", "md", "html"}) {
    const report::Format format = *report::findReportFormat(id);
    const auto written = [&](const report::ExportOptions& options) {
      return format.writeReport(report, options, *conclusionsOf(report, options)).value_or("");
    };
    EXPECT_THAT(written({}), testing::HasSubstr("Findings")) << id;
    EXPECT_THAT(written({}), testing::HasSubstr("the error grows")) << id;
    EXPECT_THAT(written({}), testing::HasSubstr("Verdict")) << id;
    EXPECT_THAT(written({.runs = {"fp16"}}), testing::Not(testing::HasSubstr("the error grows")));
    EXPECT_THAT(written({.passes = {Pass::Forward}}),
                testing::Not(testing::HasSubstr("the error grows")));
  }
}

}  // namespace
}  // namespace ulp::analysis
