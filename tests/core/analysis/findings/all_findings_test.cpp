#include "core/analysis/findings/all_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/analysis/findings/rule_report.h"

namespace ulp::analysis {
namespace {

using report::Finding;
using test::quietReport;
using test::rowOf;
using test::setError;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Finding culprit(const std::string& run, const std::string& site) {
  return {.rule = "culprit",
          .severity = report::FindingSeverity::Look,
          .title = {"%1: adds an error", {site}},
          .explanation = {"Sureness high: inputs are equal", {}},
          .numbers = {{"error", 0.25, true}},
          .sites = {test::layerSite(site, 1, Pass::Forward)},
          .runs = {run}};
}

/// A comparison of two dumps in which rank 0 is 25 % off at layer 1.
report::Report comparisonOfDumps() {
  report::Report report = quietReport({"rank 0", "rank 1"});
  report.dumps.emplace();
  setError(rowOf(report, "rank 0", "decoder.1"), 0.25);
  report::setFindings(report, {culprit("rank 0", "decoder.1")});
  return report;
}

std::vector<std::string> rulesOf(const std::vector<Finding>& findings) {
  std::vector<std::string> rules;
  for (const Finding& finding : findings) {
    rules.push_back(finding.rule);
  }
  return rules;
}

TEST(AllFindings, PutsWhatTheReportHoldsBeforeWhatRulesFind) {
  const auto findings = allFindings(comparisonOfDumps());
  ASSERT_TRUE(findings) << findings.error().message();
  EXPECT_THAT(rulesOf(*findings), ElementsAre("culprit", "error_jump"));
  const Finding& first = findings->front();
  EXPECT_EQ(first.title.text(), "decoder.1: adds an error");
  EXPECT_EQ(first.severity, report::FindingSeverity::Look);
  EXPECT_EQ(first.sites, culprit("rank 0", "decoder.1").sites);
  EXPECT_THAT(first.runs, ElementsAre("rank 0"));
  ASSERT_THAT(first.numbers, SizeIs(1));
  EXPECT_EQ(first.numbers[0], (report::FindingNumber{"error", 0.25, true}));
}

TEST(AllFindings, OfAStudyAreFoundAnewWhateverItHolds) {
  report::Report report = comparisonOfDumps();
  report.dumps.reset();
  Finding old = culprit("rank 0", "decoder.2");
  old.rule = "error_jump";
  report::setFindings(report, {old});
  const auto findings = allFindings(report);
  ASSERT_TRUE(findings);
  EXPECT_THAT(rulesOf(*findings), ElementsAre("first_divergence", "error_jump"));
  EXPECT_EQ((*findings)[1].sites.front().name, "decoder.1");
}

TEST(AllFindings, UnitsOfDumpsAreNotTakenForVariantsOfEachOther) {
  report::Report report = quietReport({"rank 0", "rank 1"});
  report.runs[2].comparisons = report.runs[1].comparisons;
  report.runs[2].loss = report.runs[1].loss;
  ASSERT_THAT(rulesOf(findFindings(report)), ElementsAre("identical_variant"));
  report.dumps.emplace();
  EXPECT_THAT(findFindings(report), IsEmpty());
}

TEST(AllFindings, AStoredListThatCannotBeReadIsAnError) {
  report::Report report = comparisonOfDumps();
  report.extraJson = R"({"findings":[{"rule":7}]})";
  EXPECT_EQ(allFindings(report).error().code(), ErrorCode::CorruptData);
}

TEST(AllFindings, ThoseOfRunsThatAreNotShownAreLeftOut) {
  Finding ofAll = culprit("", "decoder.1");
  ofAll.runs.clear();
  Finding ofTwo = culprit("rank 0", "decoder.2");
  ofTwo.runs.emplace_back("rank 1");
  std::vector<Finding> findings{ofAll, ofTwo, culprit("rank 0", "decoder.3")};
  eraseFindingsOfOthers(findings, [](const std::string& run) { return run == "rank 1"; });
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_THAT(findings[0].runs, IsEmpty());
  EXPECT_EQ(findings[1].sites.front().name, "decoder.2");
}

TEST(AllFindings, OfJoinedReportsNameRunsAndTensorsAsTheJoinedOneDoes) {
  const auto first = std::make_shared<const report::Report>(comparisonOfDumps());
  const auto mapping = SiteMapping::make({}, {{"decoder.1", "layer one"}});
  ASSERT_TRUE(mapping);
  const std::vector<ReportSource> sources{{{first, "a/report.json", "a"}, {}},
                                          {{first, "b/report.json", "b"}, *mapping}};
  const JoinedReports joined = *joinReports(sources);
  const auto stored = storedFindings(joined, sources, builtinFindingRules());
  ASSERT_TRUE(stored) << stored.error().message();
  ASSERT_THAT(*stored, SizeIs(2));
  EXPECT_THAT((*stored)[0].runs, ElementsAre("rank 0"));
  EXPECT_EQ((*stored)[0].sites[0].name, "decoder.1");
  EXPECT_THAT((*stored)[1].runs, ElementsAre("rank 0 (b)"));
  EXPECT_EQ((*stored)[1].sites[0].name, "layer one");
}

/// A row of which a dumper wrote statistics alone.
void record(report::Comparison& row, numerics::NonFiniteCounts reference, bool isVariantBroken) {
  row.compared = 0;
  row.worst.clear();
  row.metrics.assign(row.metrics.size(), std::numeric_limits<double>::quiet_NaN());
  row.referenceNonFinite = reference;
  row.variantNonFinite = {isVariantBroken ? 1U : 0U, 0, 0};
}

TEST(AllFindings, RecordedStatisticsSayThatNumbersAreGoneNotHowMany) {
  report::Report report = quietReport({"rank 0", "rank 1"});
  report.dumps.emplace();
  record(rowOf(report, "rank 1", "decoder.2"), {}, true);
  record(rowOf(report, "rank 1", "decoder.3"), {}, true);
  const auto findings = findFindings(report);
  ASSERT_THAT(rulesOf(findings), ElementsAre("first_non_finite"));
  EXPECT_EQ(findings[0].title.text(),
            "Not finite from decoder.2, forward, by the recorded statistics (rank 1)");
  EXPECT_THAT(findings[0].explanation.text(), HasSubstr("2 tensors of the variant are affected"));
}

TEST(AllFindings, EveryUnitOfADumpHasAReferenceOfItsOwn) {
  report::Report report = quietReport({"rank 0", "rank 1"});
  report.dumps.emplace();
  record(rowOf(report, "rank 1", "decoder.2"), {0, 1, 0}, false);
  const auto findings = findFindings(report);
  ASSERT_THAT(rulesOf(findings), ElementsAre("reference_non_finite"));
  EXPECT_THAT(findings[0].runs, ElementsAre("rank 1"));
  EXPECT_EQ(findings[0].title.text(),
            "The reference itself is not finite from decoder.2, forward, by the recorded "
            "statistics");
}

TEST(AllFindings, MasksAreNoReferenceThatIsNotFinite) {
  for (const bool isOfDump : {true, false}) {
    report::Report report = quietReport({"rank 0"});
    if (isOfDump) {
      report.dumps.emplace();
      record(rowOf(report, "rank 0", "decoder.1"), {0, 0, 1}, false);
    }
    rowOf(report, "rank 0", "decoder.2").referenceNonFinite = {0, 0, 7};
    rowOf(report, "rank 0", "decoder.2").variantNonFinite = {0, 0, 7};
    EXPECT_THAT(rulesOf(findFindings(report)),
                testing::Not(testing::Contains("reference_non_finite")));
    report::Comparison& all = rowOf(report, "rank 0", "decoder.3");
    all.referenceNonFinite = {0, 0, all.count};
    all.variantNonFinite = all.referenceNonFinite;
    EXPECT_THAT(rulesOf(findFindings(report)), testing::Contains("reference_non_finite"));
  }
}

}  // namespace
}  // namespace ulp::analysis
