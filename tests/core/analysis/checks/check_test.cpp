#include "core/analysis/checks/check.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/checks/check_format.h"
#include "core/json/parse.h"
#include "core/report/model/finding.h"
#include "tests/support/data/report_builder.h"

namespace ulp::analysis {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CheckTest : public testing::Test {
 protected:
  /// Rows whose relative error is above 0.0055 fail.
  JudgedReport judged(
      const report::Report& report,
      const std::string& more = "",
      const std::string& first = "  - {metric: rms_rel, comparison: '<=', value: 0.0055}\n") const {
    auto rules = VerdictRules::parse("rules:\n" + first + more, "rules.yaml");
    EXPECT_TRUE(rules) << rules.error().message();
    auto judgement = judgeChosen(report, {}, {*rules, "rules.yaml"}, {});
    EXPECT_TRUE(judgement) << judgement.error().message();
    return *std::move(judgement);
  }

  double& errorOf(report::Report& report, std::size_t row) const {
    const auto column = static_cast<std::size_t>(report.metricIndex("rms_rel"));
    return report.runs[1].comparisons[row].metrics[column];
  }

  /// Row 0 fails in both, row 1 fails now, row 2 did, row 3 is new, row 4 is gone.
  Check beside() {
    report::Report now = test::sampleReport(3, {"bf16"});
    for (std::size_t i = 0; i < now.runs[1].comparisons.size(); ++i) {
      errorOf(now, i) = 0.001;
    }
    report::Report before = now;
    errorOf(now, 0) = 0.02;
    errorOf(now, 1) = 0.03;
    errorOf(before, 0) = 0.01;
    errorOf(before, 2) = 0.04;
    now.runs[1].comparisons[3].site.name = "a<b>|\"new\"";
    errorOf(now, 3) = 0.05;
    before.runs[1].comparisons[3].site.name = "gone";
    const JudgedReport older = judged(before);
    Check check = *checkOf(judged(now), &older);
    check.subject = "runs/new";
    check.rules = "rules.yaml";
    check.baseline = "runs/main";
    return check;
  }

  static std::string written(const Check& check, std::string_view id) {
    for (const CheckFormat& format : checkFormats()) {
      if (format.id == id) {
        return format.write(check);
      }
    }
    ADD_FAILURE() << "no format " << id;
    return {};
  }
};

TEST_F(CheckTest, WithoutABaselineEveryFailureIsNew) {
  const Check check = *checkOf(judged(test::sampleReport(3, {"bf16"})), nullptr);
  ASSERT_EQ(check.rows.size(), 12U);
  EXPECT_EQ(check.count(Judgement::Failed), 7U);
  EXPECT_EQ(check.newFailures(), 7U);
  EXPECT_EQ(summaryText(check), "7 of 12 rows fail");
}

TEST_F(CheckTest, KnowsWhatFailedBeforeWhatIsFixedAndWhatIsGone) {
  const Check check = beside();
  EXPECT_TRUE(check.rows[0].isKnown);
  EXPECT_EQ(check.rows[0].before, "rms_rel <= 0.0055 does not hold: 0.0100");
  EXPECT_EQ(check.rows[0].rule, "rms_rel <= 0.0055");
  EXPECT_FALSE(check.rows[1].isKnown);
  EXPECT_EQ(check.rows[2].judgement, Judgement::Passed);
  ASSERT_EQ(check.fixed.size(), 1U);
  EXPECT_EQ(check.fixed[0].site, check.rows[2].site);
  EXPECT_FALSE(check.rows[3].isKnown);
  EXPECT_EQ(check.gone, 1U);
  EXPECT_EQ(check.newFailures(), 2U);
  EXPECT_EQ(summaryText(check), "3 of 12 rows fail, 2 of them new, 1 fixed, 1 no longer there");
}

TEST_F(CheckTest, JunitHasASuiteForEachRunAndSkipsWhatIsKnown) {
  const std::string xml = written(beside(), "junit");
  EXPECT_THAT(xml,
              HasSubstr("<testsuite name=\"bf16\" tests=\"12\" failures=\"2\" errors=\"0\" "
                        "skipped=\"1\">"));
  EXPECT_THAT(xml, HasSubstr("name=\"a&lt;b&gt;|&quot;new&quot;\"><failure "));
  EXPECT_THAT(xml,
              HasSubstr("<failure type=\"rms_rel &lt;= 0.0055\" message=\"rms_rel &lt;= 0.0055 "
                        "does not hold: 0.0300\"/>"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"known: rms_rel &lt;= 0.0055"));
}

TEST_F(CheckTest, WhatAReportOfDumpsDoesNotHoldIsNeverCountedAsPassed) {
  report::Report report = test::sampleReport(3, {"step 0"});
  report.dumps.emplace();
  report.runs[1].missingGradients = {"model.layers.1.weight"};
  const Site unread{.name = "model.freqs", .module = "model"};
  setFindings(report, {{.rule = "not_compared", .sites = {unread}, .runs = {"step 0"}}});
  const std::string loose = "  - {metric: rms_rel, comparison: '<=', value: 100}\n";
  const Check numbers = *checkOf(judged(report, "", loose), nullptr);
  EXPECT_TRUE(numbers.isIncomplete);
  EXPECT_FALSE(numbers.hasFailed());
  EXPECT_EQ(summaryText(numbers), "0 of 13 rows fail, 1 not judged");
  EXPECT_EQ(numbers.rows.back().site, unread);
  EXPECT_EQ(numbers.rows.back().reason, "there was nothing to compare");
  const auto about = [&](const std::string& rule) {
    return *checkOf(judged(report, rule), nullptr);
  };
  const Check present =
      about("  - {metric: present, comparison: '<=', value: 0, pass: parameter_gradient}\n");
  ASSERT_EQ(present.rows.size(), 14U);
  EXPECT_EQ(present.rows[12].judgement, Judgement::Failed);
  EXPECT_EQ(present.rows[12].site.name, "model.layers.1.weight");
  EXPECT_EQ(present.rows[12].rule, "present <= 0, parameter_gradient");
  EXPECT_EQ(about("  - {metric: present, comparison: '<=', value: 0, pass: forward}\n").rows.size(),
            13U);
  const Check elsewhere = *checkOf(
      judged(report, "", "  - {match: decoder, metric: rms_rel, comparison: '<=', value: 100}\n"),
      nullptr);
  EXPECT_FALSE(elsewhere.isIncomplete);
  EXPECT_EQ(elsewhere.rows.size(), 12U);
}

TEST_F(CheckTest, ARuleWhoseExpressionIsFoundNowhereFails) {
  const report::Report report = test::sampleReport(3, {"bf16"});
  const Check check = *checkOf(
      judged(report,
             "  - {match: zzz, metric: rms_rel, comparison: '<=', value: 1}\n"
             "  - {match: zzz, metric: rms_rel, comparison: '<=', value: 2, severity: warning}\n"
             "  - {match: decoder, dtype: float64, metric: rms_rel, comparison: '<=', value: 3}\n",
             "  - {metric: rms_rel, comparison: '<=', value: 100}\n"),
      nullptr);
  EXPECT_EQ(check.newFailures(), 0U);
  EXPECT_TRUE(check.hasFailed());
  ASSERT_EQ(check.idle.size(), 3U);
  EXPECT_EQ(check.idle[0].rule, "rms_rel at most 1, of zzz");
  EXPECT_TRUE(check.idle[0].fails);
  EXPECT_FALSE(check.idle[1].fails) << "a warning changes no exit code";
  EXPECT_FALSE(check.idle[2].fails) << "found, of another format";
  EXPECT_THAT(summaryText(check), testing::EndsWith(", 1 rule is about nothing"));
  EXPECT_THAT(written(check, "text"),
              HasSubstr("FAIL rms_rel at most 1, of zzz: found nothing to ask\n"
                        "rule rms_rel at most 2, of zzz: found nothing to ask\n"));
  EXPECT_THAT(written(check, "markdown"), testing::StartsWith("## Ulpscope: failed\n"));
  EXPECT_THAT(written(check, "markdown"),
              HasSubstr("\n**Failed:** rms\\_rel at most 1, of zzz: found nothing to ask.\n"));
  EXPECT_THAT(written(check, "junit"),
              HasSubstr("<testsuite name=\"rules\" tests=\"3\" failures=\"1\" errors=\"0\" "
                        "skipped=\"2\">"));
  EXPECT_THAT(written(check, "sarif"), HasSubstr("of zzz: found nothing to ask"));
}

TEST_F(CheckTest, RulesThatFindNothingAtAllFail) {
  const report::Report report = test::sampleReport(3, {"bf16"});
  const std::string ofSums = "  - {metric: checksum_equal, comparison: '>=', value: 1}\n";
  EXPECT_TRUE(checkOf(judged(report, "", ofSums), nullptr)->hasFailed());
  const auto beside = checkOf(
      judged(report, ofSums, "  - {metric: rms_rel, comparison: '<=', value: 100}\n"), nullptr);
  EXPECT_FALSE(beside->hasFailed()) << "named, as there was something to ask";
  EXPECT_EQ(beside->idle.size(), 1U);
}

TEST_F(CheckTest, ARunThatDidNotFinishFailsWhateverItsRowsAndTheBaselineSay) {
  report::Report report = test::sampleReport(3, {"bf16", "fp16", "floor"});
  report.runs[0].status = report::RunStatus::Failed;
  report.runs[1].status = report::RunStatus::Failed;
  report.runs[1].error = "bf16: out <of> memory\nat decoder.1";
  report.runs[1].comparisons.resize(2);
  report.runs[2].status = report::RunStatus::Skipped;
  report.runs[2].comparisons.clear();
  report.runs[3].status = report::RunStatus::Cancelled;
  report.runs[3].role = report::RunRole::Floor;
  const JudgedReport same = judged(report);
  EXPECT_TRUE(same.judgement.hasFailed());
  const Check check = *checkOf(same, &same);
  EXPECT_EQ(check.newFailures(), 0U);
  EXPECT_TRUE(check.hasFailed());
  ASSERT_EQ(check.unfinished.size(), 2U);
  EXPECT_EQ(check.unfinished[0].run, "bf16");
  EXPECT_EQ(check.unfinished[0].reason, "did not finish: failed: out <of> memory");
  EXPECT_EQ(check.unfinished[1].reason, "did not finish: skipped");
  EXPECT_EQ(summaryText(check), "0 of 2 rows fail, 2 runs did not finish");
  EXPECT_THAT(written(check, "text"),
              testing::StartsWith("FAIL bf16: did not finish: failed: out <of> memory\n"
                                  "FAIL fp16: did not finish: skipped\n"));
  EXPECT_THAT(written(check, "markdown"), testing::StartsWith("## Ulpscope: failed\n"));
  EXPECT_THAT(written(check, "markdown"),
              HasSubstr("\n**Failed:** fp16 did not finish: skipped.\n"));
  EXPECT_THAT(written(check, "junit"),
              AllOf(HasSubstr("<testsuite name=\"runs\" tests=\"2\" failures=\"2\""),
                    HasSubstr("name=\"bf16\"><failure message=\"did not finish: failed: out "
                              "&lt;of&gt; memory\"/>")));
  const auto sarif = json::parse(written(check, "sarif"));
  const json::Value& result = sarif->at("runs").items()[0].at("results").items()[0];
  EXPECT_EQ(result.at("level").text(), "error");
  EXPECT_EQ(result.at("ruleId").text(), "every run finishes");
  EXPECT_EQ(result.at("message").at("text").text(),
            "bf16: did not finish: failed: out <of> memory");
}

TEST_F(CheckTest, ARunThatDidNotFinishIsToldInDocumentsAndTables) {
  for (const auto status : {report::RunStatus::Pending,
                            report::RunStatus::Running,
                            report::RunStatus::Cancelled,
                            report::RunStatus::Skipped,
                            report::RunStatus::Failed}) {
    report::Report report = test::sampleReport(3, {"bf16"});
    report.runs[1].status = status;
    report.runs[1].comparisons.resize(1);
    const JudgedReport unfinished = judged(report);
    EXPECT_TRUE(unfinished.judgement.hasFailed());
    const std::string why = "did not finish: " + std::string(toString(status));
    EXPECT_EQ(judgementOf(unfinished).tables[0].rows[0],
              (std::vector<std::string>{"bf16", "FAIL", "1", "0", "0", "0", why}));
    const auto rows = judgementData(unfinished, {})->rows;
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0], (std::vector<report::DataCell>{"bf16", "", "", "fail", 0.0, 0.0, why}));
  }
}

TEST_F(CheckTest, ABaselineOfAnotherModelOrOtherInputIsDoubted) {
  report::Report now = test::sampleReport(3, {"bf16"});
  now.model.name = "new/model";
  now.provenance.tokenDigest = "abc";
  report::Report before = now;
  JudgedReport older = judged(before);
  EXPECT_TRUE(checkOf(judged(now), &older)->doubts.empty());
  before.model.name = "old/model";
  before.provenance.tokenDigest = "def";
  before.provenance.input = "a text";
  now.provenance.input.clear();
  older = judged(before);
  const Check check = *checkOf(judged(now), &older);
  EXPECT_THAT(check.doubts,
              testing::ElementsAre(
                  "the baseline is of another model: old/model, and the report of new/model",
                  "the baseline is of other input: a text (def), and the report of tokens (abc)"));
  EXPECT_THAT(written(check, "markdown"), HasSubstr("\n**Warning:** the baseline is of another"));
  before.dumps.emplace();
  older = judged(before);
  EXPECT_TRUE(checkOf(judged(now), &older)->doubts.empty()) << "called after what was compared";
}

TEST_F(CheckTest, SarifSaysHowEachResultStandsToTheBaseline) {
  const Check check = beside();
  const auto log = json::parseObject(written(check, "sarif"));
  ASSERT_TRUE(log) << log.error().message();
  EXPECT_EQ(log->at("version").text(), "2.1.0");
  const json::Value& run = log->at("runs").items().front();
  EXPECT_EQ(run.at("tool").at("driver").at("rules").items().front().at("id").text(),
            "rms_rel <= 0.0055");
  std::vector<std::string> states;
  for (const json::Value& result : run.at("results").items()) {
    states.push_back(result.at("baselineState").text());
    EXPECT_EQ(result.at("level").text(), "error");
  }
  EXPECT_THAT(states, testing::ElementsAre("unchanged", "new", "new", "absent"));
  const json::Value& place = run.at("results").items()[1].at("locations").items().front();
  EXPECT_EQ(place.at("physicalLocation").at("artifactLocation").at("uri").text(), "runs/new");
  EXPECT_EQ(place.at("logicalLocations").items().front().at("name").text(),
            check.rows[1].site.name);
  EXPECT_THAT(written(*checkOf(judged(test::sampleReport(3, {"bf16"})), nullptr), "sarif"),
              Not(HasSubstr("baselineState")));
}

TEST_F(CheckTest, MarkdownBeginsWithTheAnswerAndShowsNamesLiterally) {
  const std::string text = written(beside(), "markdown");
  EXPECT_THAT(text, testing::StartsWith("## Ulpscope: failed\n"));
  EXPECT_LT(text.find("### Fails now"), text.find("### Fails as before"));
  EXPECT_LT(text.find("### Fails as before"), text.find("### Fixed"));
  EXPECT_THAT(text, HasSubstr("| bf16 | a\\<b\\>\\|\"new\","));
}

TEST_F(CheckTest, TextHasALineForEachRowThatFailsAndASummary) {
  const std::string text = written(beside(), "text");
  EXPECT_THAT(text, testing::StartsWith("FAIL (known) bf16: "));
  EXPECT_THAT(text,
              HasSubstr("does not hold: 0.0200; was rms_rel <= 0.0055 does not hold: 0.0100\n"));
  EXPECT_THAT(text, HasSubstr("\nfixed bf16: "));
  EXPECT_THAT(text, testing::EndsWith("1 no longer there\n"));
}

}  // namespace
}  // namespace ulp::analysis
