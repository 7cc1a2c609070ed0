#include "core/analysis/rules/report_judgement.h"

#include <cmath>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/analysis/tensors/tensor_pair_fixture.h"
#include "tests/support/data/report_builder.h"

namespace ulp::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

VerdictRules reportRules(const std::string& rules) {
  auto parsed = VerdictRules::parse("rules:\n" + rules, "rules.yaml");
  EXPECT_TRUE(parsed) << parsed.error().message();
  return parsed->withFiniteImplied();
}

constexpr const char* kSmallError = "  - {metric: rms_rel, comparison: '<=', value: 0.0055}\n";

TEST(ReportJudgementTest, EveryRowOfEveryVariantIsJudgedAndCounted) {
  const report::Report report = test::sampleReport(3, {"bf16", "fp16"});
  const VerdictRules rules = reportRules(kSmallError);
  const ReportJudgement judgement = *judgeReport(report, rules);
  ASSERT_EQ(judgement.runs.size(), 3U);
  EXPECT_TRUE(judgement.runs[0].rows.empty());
  const RunJudgement& bf16 = judgement.runs[1];
  EXPECT_EQ(bf16.rows[4].judgement, Judgement::Passed);
  EXPECT_EQ(bf16.rows[5].judgement, Judgement::Failed);
  EXPECT_DOUBLE_EQ(bf16.rows[5].value, 0.006);
  EXPECT_EQ(bf16.first, 5U);
  EXPECT_THAT(bf16.counts, ElementsAre(5, 0, 7, 0));
  EXPECT_EQ(bf16.overall(), Judgement::Failed);
  EXPECT_EQ(judgement.runs[2].first, 2U);
  EXPECT_EQ(judgement.rules[0].asked, 24U);
  EXPECT_EQ(judgement.rules[0].broken, 17U);
  EXPECT_TRUE(judgement.hasFailed());
  EXPECT_EQ(reasonOf(bf16.rows[5], rules).text(), "rms_rel <= 0.0055 does not hold: 0.00600");
}

TEST(ReportJudgementTest, ANumberCloseToItsBoundShowsHowItDiffers) {
  report::Report report = test::sampleReport(3, {"bf16"});
  const auto column = static_cast<std::size_t>(report.metricIndex("rms_rel"));
  report.runs[1].comparisons[0].metrics[column] = 0.00550012;
  const VerdictRules rules = reportRules(kSmallError);
  const ReportJudgement judgement = *judgeReport(report, rules);
  EXPECT_EQ(reasonOf(judgement.runs[1].rows[0], rules).text(),
            "rms_rel <= 0.0055 does not hold: 0.0055001");
}

TEST(ReportJudgementTest, ANewNanFailsUnlessARuleAllowsIt) {
  report::Report report = test::sampleReport(3, {"bf16"});
  report.runs[1].comparisons[1].variantNonFinite.nan = 2;
  const VerdictRules rules = reportRules("  - {metric: rms_rel, comparison: '<=', value: 1}\n");
  const ReportJudgement judgement = *judgeReport(report, rules);
  EXPECT_EQ(judgement.runs[1].rows[1].judgement, Judgement::Failed);
  EXPECT_EQ(reasonOf(judgement.runs[1].rows[1], rules).text(), "non_finite <= 0 does not hold: 2");
  const VerdictRules allowing = reportRules(
      "  - {metric: rms_rel, comparison: '<=', value: 1}\n"
      "  - {metric: non_finite, comparison: '<=', value: 2}\n");
  EXPECT_EQ(judgeReport(report, allowing)->runs[1].rows[1].judgement, Judgement::Passed);
}

TEST(ReportJudgementTest, ZerosBesideOtherNumbersFailWhatIsUndefinedOfThem) {
  report::Report report = test::sampleReport(3, {"bf16"});
  report.metrics = {{"cosine"}, {"max_diff"}, {"kl.max"}};
  std::vector<report::Comparison>& rows = report.runs[1].comparisons;
  rows.resize(3);
  rows[0].metrics = {std::nan(""), 3.4, std::nan("")};
  rows[1].metrics = {std::nan(""), 0, std::nan("")};
  rows[2].metrics = {std::nan(""), 3.4, std::nan("")};
  rows[2].compared = 0;
  const auto judgementOf = [&](const char* rule) {
    const ReportJudgement judgement = *judgeReport(report, reportRules(rule));
    std::vector<Judgement> judged;
    for (const RowVerdict& row : judgement.runs[1].rows) {
      judged.push_back(row.judgement);
    }
    return judged;
  };
  EXPECT_THAT(judgementOf("  - {metric: cosine, comparison: '>=', value: 0.999}\n"),
              ElementsAre(Judgement::Failed, Judgement::Passed, Judgement::NotJudged));
  EXPECT_THAT(judgementOf("  - {metric: kl.max, comparison: '<', value: 1}\n"),
              testing::Each(Judgement::NotJudged))
      << "of logits alone";
}

TEST(ReportJudgementTest, NothingToAskIsNoPass) {
  const report::Report report = test::sampleReport(3, {"bf16"});
  const VerdictRules rules = reportRules("  - {metric: kl.max, comparison: '<', value: 1}\n");
  const ReportJudgement judgement = *judgeReport(report, rules);
  EXPECT_EQ(judgement.runs[1].overall(), Judgement::NotJudged);
  EXPECT_EQ(reasonOf(judgement.runs[1].rows[0], rules).text(),
            "The row holds nothing that the rules ask for");
  EXPECT_EQ(judgement.rules[0].unasked, 12U);
  const VerdictRules some = reportRules(
      "  - {metric: kl.max, comparison: '<', value: 1}\n"
      "  - {metric: rms_rel, comparison: '<', value: 1}\n");
  const RunJudgement asked = judgeReport(report, some)->runs[1];
  EXPECT_EQ(asked.rows[0].judgement, Judgement::Passed);
  EXPECT_EQ(asked.overall(), Judgement::Passed);
  EXPECT_THAT(reasonOf(asked.rows[0], some).text(),
              HasSubstr("could not be asked: the row does not hold their metric"));
  const VerdictRules elsewhere =
      reportRules("  - {match: nowhere, metric: cosine, comparison: '>', value: 0}\n");
  const ReportJudgement nothing = *judgeReport(report, elsewhere);
  EXPECT_EQ(nothing.runs[1].overall(), Judgement::NotJudged);
  EXPECT_EQ(reasonOf(nothing.runs[1].rows[0], elsewhere).text(), "No rule is about the row");
}

TEST(ReportJudgementTest, AWarningIsToldFromAnErrorAndGivesWayToIt) {
  const report::Report report = test::sampleReport(3, {"bf16"});
  const VerdictRules rules = reportRules(
      "  - {metric: rms_rel, comparison: '<=', value: 0.001, severity: warning}\n"
      "  - {metric: rms_diff, comparison: '<=', value: 0.005}\n");
  const ReportJudgement judgement = *judgeReport(report, rules);
  EXPECT_EQ(judgement.runs[1].rows[0].judgement, Judgement::Passed);
  EXPECT_EQ(judgement.runs[1].rows[1].judgement, Judgement::Warned);
  EXPECT_EQ(judgement.runs[1].rows[2].judgement, Judgement::Failed);
  EXPECT_EQ(judgement.runs[1].rows[2].rule, 1);
  EXPECT_EQ(judgement.runs[1].rows[2].broken, 2);
}

TEST(ReportJudgementTest, RunsOfTheNoiseFloorAreNotJudged) {
  report::Report report = test::sampleReport(3, {"bf16", "repeat"});
  report.runs[2].role = report::RunRole::Floor;
  EXPECT_TRUE(judgeReport(report, reportRules(kSmallError))->runs[2].rows.empty());
}

TEST(ReportJudgementTest, AllcloseIsFailedByTheWorstElementAndElseNeedsAll) {
  report::Report report = test::sampleReport(3, {"bf16"});
  // The worst element of each is 1.5 and 1.25.
  const VerdictRules strict = reportRules("  - {metric: allclose, rtol: 0.1, atol: 0.09}\n");
  const ReportJudgement failed = *judgeReport(report, strict);
  EXPECT_EQ(failed.runs[1].rows[0].judgement, Judgement::Failed);
  EXPECT_DOUBLE_EQ(failed.runs[1].rows[0].value, 0.25 - 0.15);
  const VerdictRules loose = reportRules("  - {metric: allclose, rtol: 0.1, atol: 0.2}\n");
  ReportJudgement undecided = *judgeReport(report, loose);
  EXPECT_EQ(undecided.runs[1].rows[0].judgement, Judgement::NotJudged);
  EXPECT_EQ(reasonOf(undecided.runs[1].rows[0], loose).text(),
            "allclose, rtol 0.1, atol 0.2 needs the elements of both sides");
  EXPECT_TRUE(undecided.isUndecided(loose));
  const VerdictRules wide = reportRules("  - {metric: allclose, rtol: 0, atol: 0.25}\n");
  EXPECT_EQ(judgeReport(report, wide)->runs[1].rows[0].judgement, Judgement::Passed);
}

TEST(ReportJudgementTest, ElementsDecideWhatTheReportCannot) {
  report::Report report = test::sampleReport(3, {"bf16"});
  for (report::Comparison& row : report.runs[1].comparisons) {
    row.count = 2;
  }
  const VerdictRules rules = reportRules("  - {metric: allclose, rtol: 0.2, atol: 0.01}\n");
  ReportJudgement judgement = *judgeReport(report, rules);
  ASSERT_EQ(judgement.rules[0].unasked, 12U);
  const auto close = test::floatPair({2}, {1, 2}, {1.1F, 2});
  const auto off = test::floatPair({2}, {1, 0}, {1, 0.02F});
  const auto read = [&](const report::Run&,
                        const report::Comparison& row) -> Result<TensorPairPtr> {
    if (row.site.name == "norm" && row.site.pass == Pass::Forward) {
      return fail(ErrorCode::Io, "tensors/bf16.h5: norm: cannot be read");
    }
    return row.site.name == "norm" ? nullptr : row.site.name == "logits" ? off : close;
  };
  ASSERT_TRUE(decideByElements(report, rules, judgement, read));
  ASSERT_TRUE(judgement.unread);
  EXPECT_EQ(judgement.unread->message(), "tensors/bf16.h5: norm: cannot be read");
  EXPECT_THAT(judgement.runs[1].counts, ElementsAre(8, 0, 2, 2));
  EXPECT_EQ(judgement.rules[0].asked, 10U);
  EXPECT_EQ(judgement.rules[0].unasked, 2U);
  EXPECT_EQ(judgement.rules[0].broken, 2U);
  EXPECT_EQ(report.runs[1].comparisons[*judgement.runs[1].first].site.name, "logits");
  EXPECT_TRUE(judgement.isUndecided(rules));
}

TEST(ReportJudgementTest, OneOfSeveralStepsThatIsCloseDecidesNothing) {
  const report::Report report = test::sampleReport(3, {"bf16"});
  const VerdictRules rules = reportRules("  - {metric: allclose, rtol: 0.2, atol: 0.01}\n");
  ReportJudgement judgement = *judgeReport(report, rules);
  const auto close = test::floatPair({2}, {1, 2}, {1, 2});
  ASSERT_TRUE(
      decideByElements(report, rules, judgement, [&](const auto&, const auto&) { return close; }));
  EXPECT_EQ(judgement.runs[1].rows[0].judgement, Judgement::NotJudged);
}

TEST(VerdictRulesTextTest, RulesAreSaidInWordsAndInSigns) {
  const VerdictRules rules = *VerdictRules::parse(
      "rules:\n"
      "  - {metric: cosine, comparison: '>=', value: 0.999}\n"
      "  - {match: mlp, pass: forward, dtype: bfloat16, metric: rms_rel, comparison: '<', value: "
      "1}\n"
      "  - {metric: allclose, rtol: 0.5, atol: 2, pass: backward}\n",
      "rules.yaml");
  EXPECT_EQ(describe(rules.all()[0]), "cosine at least 0.999");
  EXPECT_EQ(signText(rules.all()[0]), "cosine >= 0.999");
  EXPECT_EQ(describe(rules.all()[1]), "rms_rel below 1, bfloat16, forward, of mlp");
  EXPECT_EQ(signText(rules.all()[1]), "rms_rel < 1, bfloat16, forward, mlp");
  EXPECT_EQ(describe(rules.all()[2]), "allclose, rtol 0.5, atol 2, backward");
}

TEST(VerdictRulesTextTest, BoundsHoldUpToTheirValueOrBelowIt) {
  const auto holds = [](const char* sign, double number) {
    const VerdictRules rules = *VerdictRules::parse(
        std::string("rules:\n  - {metric: cosine, comparison: '") + sign + "', value: 2}\n",
        "rules.yaml");
    return rules.all().front().holdsFor(number);
  };
  EXPECT_TRUE(holds("<=", 2));
  EXPECT_FALSE(holds("<=", 2.5));
  EXPECT_FALSE(holds("<", 2));
  EXPECT_TRUE(holds("<", 1.5));
  EXPECT_TRUE(holds(">=", 2));
  EXPECT_FALSE(holds(">=", 1.5));
  EXPECT_FALSE(holds(">", 2));
  EXPECT_TRUE(holds(">", 2.5));
}

TEST(VerdictRulesTextTest, TolerancesTakeThePlaceOfThoseOfEveryTensor) {
  const std::string own = "rules:\n  - {metric: allclose, rtol: 0.5, atol: 2}\n";
  EXPECT_EQ(withAllclose("", {0.5, 2}), own);
  EXPECT_EQ(withAllclose("rules:\n  - {metric: allclose, rtol: 1}  # ours", {0.5, 2}),
            "rules:\n  - {metric: allclose, rtol: 0.5, atol: 2}  # ours");
  const std::string ofSome = "rules:\n  - {metric: allclose, match: norm}";
  EXPECT_EQ(withAllclose(ofSome, {0.5, 2}),
            ofSome + "\n  - {metric: allclose, rtol: 0.5, atol: 2}\n");
  EXPECT_TRUE(VerdictRules::parse(withAllclose(ofSome, {1.6e-2, 1e-300}), "rules.yaml"));
}

}  // namespace
}  // namespace ulp::analysis
