#include "core/report/model/finding.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

using testing::HasSubstr;
using testing::Not;

Finding sampleFinding() {
  return {.rule = "error_jump",
          .severity = FindingSeverity::Look,
          .title = {"The error of %1 grows at %2", {"bf16", "decoder.1"}},
          .explanation = {"At least 100 % of \"it\"", {}},
          .numbers = {{"before", 0.25, true}, {"factor", 4}},
          .sites = {test::layerSite("decoder.1", 1, Pass::Backward)},
          .runs = {"bf16"},
          .overrides = {{"precision.residual_dtype", "float32"}}};
}

TEST(Sentence, PutsArgumentsInTheirPlaces) {
  EXPECT_EQ((Sentence{"%2 then %1", {"a", "b"}}.text()), "b then a");
  EXPECT_EQ((Sentence{"100 % of %1, %3", {"%2"}}.text()), "100 % of %2, %3");
}

TEST(Finding, SurvivesTheWayThroughAReport) {
  Report report = test::sampleReport(2, {"bf16"});
  setFindings(report, {sampleFinding()});
  const auto again = parseReport(toJson(report), "test");
  ASSERT_TRUE(again.has_value()) << again.error().message();
  const auto findings = readFindings(*again);
  ASSERT_TRUE(findings.has_value());
  Finding expected = sampleFinding();
  expected.title = {expected.title.text(), {}};
  EXPECT_EQ(*findings, std::vector<Finding>{expected});
}

TEST(Finding, ReplacesOldOnesAndKeepsFieldsOfOthers) {
  Report report = test::sampleReport(2, {"bf16"});
  report.extraJson = R"({"findings":[{"rule":"old"}],"ours":{"a":[1,2]}})";
  setFindings(report, {sampleFinding()});
  EXPECT_THAT(report.extraJson, HasSubstr(R"("ours":{"a":[1,2]})"));
  EXPECT_THAT(report.extraJson, Not(HasSubstr("old")));
  EXPECT_TRUE(parseReport(toJson(report), "test").has_value());
  setFindings(report, {});
  EXPECT_EQ(report.extraJson, R"({"ours":{"a":[1,2]}})");
  EXPECT_TRUE(readFindings(report)->empty());
}

TEST(Finding, ReadsWhatANewerWriterLeft) {
  Report report;
  report.extraJson = R"({"findings":[{"rule":"x","severity":"dreadful","new":[{}]}]})";
  const auto findings = readFindings(report);
  ASSERT_TRUE(findings.has_value());
  EXPECT_EQ(findings->front().rule, "x");
  EXPECT_EQ(findings->front().severity, FindingSeverity::Note);
  report.extraJson = R"({"findings":[{"ratios":["a","gone"],"numbers":{"a":0.5,"b":2}}]})";
  EXPECT_EQ(readFindings(report)->front().numbers,
            (std::vector<FindingNumber>{{"a", 0.5, true}, {"b", 2, false}}));
  report.extraJson = R"({"findings":[{"rule":1}]})";
  EXPECT_EQ(readFindings(report).error().code(), ErrorCode::CorruptData);
}

}  // namespace
}  // namespace ulp::report
