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

TEST(Finding, SurvivesTheWayThroughAReport) {
  Report report = test::sampleReport(2, {"bf16"});
  setFindings(report, {sampleFinding()});
  const auto again = parseReport(toJson(report), "test");
  ASSERT_TRUE(again.has_value()) << again.error().message();
  const auto findings = readFindings(*again);
  ASSERT_TRUE(findings.has_value());
  EXPECT_EQ(*findings, std::vector<Finding>{sampleFinding()});
}

/// What a report says of a finding whose title is `title`, in which `from` was made `to`.
Finding readAgain(const Sentence& title, const std::string& from = "", const std::string& to = "") {
  Report report;
  setFindings(report, {{.rule = "x", .title = title}});
  if (const std::size_t place = report.extraJson.find(from); !from.empty()) {
    EXPECT_NE(place, std::string::npos) << report.extraJson;
    report.extraJson.replace(place, from.size(), to);
  }
  const auto findings = readFindings(report);
  EXPECT_TRUE(findings.has_value());
  return findings ? findings->front() : Finding();
}

const Sentence kNested{"%1: %2",
                       {"call %1", {"%1, and %2", {{"it differs by %1", {"3 %"}}, {"high", {}}}}}};

TEST(Finding, HoldsTextAndPartsOfASentence) {
  Report report;
  setFindings(report, {{.rule = "x", .title = kNested, .explanation = {"a rule", {}}}});
  EXPECT_THAT(
      report.extraJson,
      HasSubstr(R"("title":"call %1: it differs by 3 %, and high","title_parts":)"
                R"(["%1: %2","call %1",["%1, and %2",["it differs by %1","3 %"],["high"]]],)"
                R"("explanation":"a rule","runs")"));
  EXPECT_EQ(readAgain(kNested).title, kNested);
}

TEST(Finding, TakesPartsOnlyWhereTheyMakeTheText) {
  EXPECT_EQ(readAgain(kNested, "by 3 %, and", "by 4 %, and").title,
            (Sentence{"call %1: it differs by 4 %, and high", {}}));
  EXPECT_EQ(readAgain(kNested, R"(["high"])", "17").title, (Sentence{kNested.text(), {}}));
  EXPECT_EQ(readAgain(kNested, R"(["high"])", "[]").title, (Sentence{kNested.text(), {}}));
  EXPECT_EQ(readAgain(kNested, R"(["high"])", R"([{"high":[]}])").title,
            (Sentence{kNested.text(), {}}));
  EXPECT_EQ(readAgain(kNested, R"("title":"call %1: it differs by 3 %, and high",)", "").title,
            (Sentence{"", {}}));
}

TEST(Finding, ReadsPartsThatStandBeforeTheText) {
  Report report;
  report.extraJson = R"({"findings":[{"title_parts":["a %1","b"],"title":"a b"}]})";
  EXPECT_EQ(readFindings(report)->front().title, (Sentence{"a %1", {"b"}}));
}

TEST(Finding, SentencesOfHostileReportsEndSoon) {
  Sentence deep{"x", {}};
  for (int i = 0; i < 100; ++i) {
    deep = {"%1", {deep}};
  }
  EXPECT_EQ(readAgain(deep).title, (Sentence{"x", {}})) << "nested too deep: text alone";
  // Each level makes a thousand of the one below.
  std::string thousand;
  for (int i = 0; i < 1000; ++i) {
    thousand += "%1";
  }
  std::string parts = R"("")";
  for (int i = 0; i < 30; ++i) {
    parts = "[\"" + thousand + "\"," + (i == 0 ? R"("ab")" : parts) + "]";
  }
  Report report;
  report.extraJson = R"({"findings":[{"title":"x","title_parts":)" + parts + "}]}";
  EXPECT_EQ(readFindings(report)->front().title, (Sentence{"x", {}}));
  const std::string million(1'000'000, '[');
  report.extraJson = R"({"findings":[{"title":"x","title_parts":)" + million + "}]}";
  EXPECT_EQ(readFindings(report).error().code(), ErrorCode::CorruptData);
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
