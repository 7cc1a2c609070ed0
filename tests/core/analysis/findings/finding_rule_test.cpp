#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/analysis/findings/rule_report.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::analysis {
namespace {

using report::Finding;
using report::FindingSeverity;
using test::findingsOf;
using test::quietReport;
using test::rowOf;
using test::setError;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> siteNames(const Finding& finding) {
  std::vector<std::string> names;
  for (const Site& site : finding.sites) {
    names.push_back(site.name);
  }
  return names;
}

TEST(FindingRules, FindNothingInAQuietReport) {
  EXPECT_THAT(findFindings(quietReport({"bf16", "fp16"})), IsEmpty());
  EXPECT_THAT(findFindings(report::Report{}), IsEmpty());
}

TEST(FindingRules, HaveUniqueIdsAndThresholdsInRange) {
  std::set<std::string> ids;
  const FindingRuleRegistry rules = builtinFindingRules();
  EXPECT_EQ(rules.all().size(), 20U);
  for (const FindingRule& rule : rules.all()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_FALSE(rule.title.empty());
    EXPECT_EQ(rules.find(rule.id), &rule);
    for (const Threshold& threshold : rule.thresholds) {
      EXPECT_TRUE(ids.insert(threshold.id).second) << threshold.id;
      EXPECT_TRUE(threshold.id.starts_with(rule.id + ".")) << threshold.id;
      EXPECT_GE(threshold.value, threshold.minimum) << threshold.id;
      EXPECT_LE(threshold.value, threshold.maximum) << threshold.id;
      EXPECT_FALSE(threshold.label.empty() || threshold.help.empty()) << threshold.id;
    }
  }
  EXPECT_EQ(rules.find("no_such_rule"), nullptr);
}

TEST(FindingRules, TellNothingOfTheNoiseFloor) {
  report::Report report = quietReport({"bf16", "floor.repeat"});
  setError(rowOf(report, "floor.repeat", "decoder.2"), 0.05);
  EXPECT_FALSE(findFindings(report).empty());
  report.runs.back().role = report::RunRole::Floor;
  EXPECT_THAT(findFindings(report), IsEmpty());
}

TEST(FirstDivergence, NamesTheTensorThatMakesMoreThanCameIn) {
  report::Report report = quietReport({"bf16"});
  setError(rowOf(report, "bf16", "decoder.2"), 0.05);
  setError(rowOf(report, "bf16", "decoder.3"), 0.06);
  const auto findings = findingsOf(report, "first_divergence");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(siteNames(findings[0])[0], "decoder.2");
  EXPECT_THAT(findings[0].runs, ElementsAre("bf16"));
  EXPECT_THAT(findings[0].title.text(),
              HasSubstr("decoder.2, forward: 5.00 % where 0.20 % came in"));
  EXPECT_EQ(findings[0].numbers[0].value, 0.05);
  EXPECT_EQ(findings[0].numbers[1].value, 0.002);
  EXPECT_THAT(findings[0].explanation.text(), HasSubstr("bfloat16"));
}

TEST(FirstDivergence, IsNotAnErrorThatWasCarriedIn) {
  report::Report report = quietReport({"bf16"});
  double error = 0.002;
  for (report::Comparison& row : report.runs[1].comparisons) {
    setError(row, error);
    error *= 1.3;
  }
  EXPECT_THAT(findingsOf(report, "first_divergence"), IsEmpty());
  EXPECT_EQ(findingsOf(report, "first_divergence", {{"first_divergence.excess", 1.2}}).size(), 1U);
}

TEST(FirstDivergence, ExpectsMoreOfACoarserFormat) {
  report::Report report = quietReport({"bf16"});
  setError(rowOf(report, "bf16", "decoder.0"), 0.006);
  EXPECT_THAT(findingsOf(report, "first_divergence"), IsEmpty());
  for (report::Comparison& row : report.runs[1].comparisons) {
    row.variantDType = "float16";
  }
  EXPECT_EQ(findingsOf(report, "first_divergence").size(), 1U);
}

TEST(FirstDivergence, MergesVariantsThatDivergeAtTheSamePlace) {
  report::Report report = quietReport({"a", "b", "c"});
  setError(rowOf(report, "a", "decoder.1"), 0.05);
  setError(rowOf(report, "c", "decoder.1"), 0.07);
  setError(rowOf(report, "b", "decoder.3"), 0.05);
  const auto findings = findingsOf(report, "first_divergence");
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_THAT(findings[0].runs, ElementsAre("a", "c"));
  EXPECT_THAT(findings[1].runs, ElementsAre("b"));
}

TEST(FirstDivergence, TellsTheNumbersOfEachVariantThatItNames) {
  report::Report report = quietReport({"a", "b"});
  setError(rowOf(report, "a", "decoder.1"), 0.07);
  setError(rowOf(report, "b", "decoder.1"), 0.05);
  const auto findings = findingsOf(report, "first_divergence");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].title.text(),
              HasSubstr("decoder.1, forward: 5.00–7.00 % where 0.20 % came in (a, b)"));
  EXPECT_EQ(findings[0].numbers[0].label(), "error (a)");
  EXPECT_EQ(findings[0].numbers[0].value, 0.07);
  EXPECT_EQ(findings[0].numbers[1].label(), "error (b)");
  EXPECT_EQ(findings[0].numbers[1].value, 0.05);
  report::setFindings(report, findings);
  const auto read = report::readFindings(report);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->at(0).numbers[1].label(), "error (b)");
  EXPECT_EQ(read->at(0).numbers[1].value, 0.05);
  EXPECT_TRUE(read->at(0).numbers[1].isRatio);
}

TEST(FirstDivergence, OfFormatsWithRoundOffsOfTheirOwnIsNotOneFinding) {
  report::Report report = quietReport({"bf16", "fp16"});
  for (report::Comparison& row : report.runs[2].comparisons) {
    row.variantDType = "float16";
    row.metrics[0] = 1e-4;
  }
  for (const char* run : {"bf16", "fp16"}) {
    setError(rowOf(report, run, "decoder.1"), 0.05);
  }
  const auto findings = findingsOf(report, "first_divergence");
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_THAT(findings[0].explanation.text(), HasSubstr("unit round-off of bfloat16"));
  EXPECT_THAT(findings[1].explanation.text(), HasSubstr("unit round-off of float16"));
}

TEST(FirstDivergence, SuggestsAFloat32ResidualOnlyWhereTheReportSaysThatThereIsNone) {
  report::Report report = quietReport({"bf16"});
  setError(rowOf(report, "bf16", "decoder.2"), 0.05);
  EXPECT_THAT(findingsOf(report, "first_divergence")[0].overrides, IsEmpty());
  report.effectiveJson =
      R"({"bf16":{"precision.residual_dtype":{"value":"bfloat16","origin":"variant"}}})";
  EXPECT_THAT(findingsOf(report, "first_divergence")[0].overrides,
              ElementsAre(std::pair("precision.residual_dtype", "float32")));
}

TEST(FirstNonFinite, CountsElementsAndTensors) {
  report::Report report = quietReport({"bf16", "fp16"});
  rowOf(report, "fp16", "decoder.2").variantNonFinite = {3, 2, 1};
  rowOf(report, "fp16", "decoder.3").variantNonFinite = {9, 0, 0};
  const auto findings = findingsOf(report, "first_non_finite");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, FindingSeverity::Broken);
  EXPECT_THAT(findings[0].title.text(),
              HasSubstr("Not finite from decoder.2, forward: 6 of 4096 elements (fp16)"));
  EXPECT_THAT(findings[0].explanation.text(), HasSubstr("3 NaN, 2 +Inf, 1 −Inf"));
  EXPECT_EQ(findings[0].numbers.back().value, 2);
}

TEST(FirstNonFinite, SuggestsAWiderRangeForFloat16ThatOverflows) {
  report::Report report = quietReport({"fp16"});
  report.effectiveJson =
      R"({"fp16":{"precision.compute_dtype":{"value":"float16","origin":"variant"}}})";
  rowOf(report, "fp16", "decoder.2").variantNonFinite = {0, 2, 0};
  EXPECT_THAT(findingsOf(report, "first_non_finite")[0].overrides,
              ElementsAre(std::pair("precision.compute_dtype", "bfloat16")));
  rowOf(report, "fp16", "decoder.2").variantNonFinite = {2, 0, 0};
  EXPECT_THAT(findingsOf(report, "first_non_finite")[0].overrides, IsEmpty());
}

TEST(ReferenceNonFinite, IsToldOnceForAllVariants) {
  report::Report report = quietReport({"a", "b"});
  for (const char* run : {"a", "b"}) {
    rowOf(report, run, "decoder.1").referenceNonFinite = {5, 0, 0};
    rowOf(report, run, "decoder.1").variantNonFinite = {5, 0, 0};
  }
  const auto findings = findingsOf(report, "reference_non_finite");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].runs, ElementsAre("a", "b"));
  EXPECT_THAT(findings[0].title.text(), HasSubstr("decoder.1, forward: 5 of 4096"));
  EXPECT_THAT(findingsOf(report, "first_non_finite"), IsEmpty());
}

TEST(ErrorJump, NeedsGrowthAndMoreThanRoundOff) {
  report::Report report = quietReport({"bf16"});
  setError(rowOf(report, "bf16", "decoder.1"), 0.006);
  EXPECT_THAT(findingsOf(report, "error_jump"), IsEmpty());
  setError(rowOf(report, "bf16", "decoder.2"), 0.03);
  auto findings = findingsOf(report, "error_jump");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(siteNames(findings[0]), ElementsAre("decoder.2", "decoder.1"));
  EXPECT_NEAR(findings[0].numbers[2].value, 5, 1e-12);
  EXPECT_THAT(findingsOf(report, "error_jump", {{"error_jump.factor", 6}}), IsEmpty());
  EXPECT_EQ(findingsOf(report, "error_jump", {{"error_jump.floor", 0}}).size(), 2U);
}

TEST(ScaleHidesError, ReportsBothMeasures) {
  report::Report report = quietReport({"bf16"});
  setError(rowOf(report, "bf16", "decoder.1"), 0.1, 6);
  setError(rowOf(report, "bf16", "decoder.2"), 0.007, 777);
  const auto findings = findingsOf(report, "scale_hides_error");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].title.text(), HasSubstr("falls from 10.0 % to 0.70 %"));
  EXPECT_THAT(findings[0].title.text(), HasSubstr("from 6 to 777"));
  EXPECT_NEAR(findings[0].numbers[4].value, 0.6, 1e-12);
  EXPECT_NEAR(findings[0].numbers[5].value, 5.439, 1e-12);
}

TEST(ScaleHidesError, IsSilentWhenTheAbsoluteErrorFallsAsWell) {
  report::Report report = quietReport({"bf16"});
  setError(rowOf(report, "bf16", "decoder.1"), 0.1, 6);
  setError(rowOf(report, "bf16", "decoder.2"), 0.007, 20);
  EXPECT_THAT(findingsOf(report, "scale_hides_error"), IsEmpty());
}

TEST(ConcentratedError, FindsOneElementOfManyLayers) {
  report::Report report = quietReport({"bf16"});
  for (const char* name : {"decoder.1", "decoder.3"}) {
    rowOf(report, "bf16", name).metrics = {0.01, 0.01, 1, 0.01 * 50};
  }
  const auto findings = findingsOf(report, "concentrated_error");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(siteNames(findings[0]), ElementsAre("decoder.1", "decoder.3"));
  EXPECT_NEAR(findings[0].numbers[0].value, 2500.0 / 4096, 1e-12);
  EXPECT_EQ(findings[0].numbers.back().value, 2);
}

TEST(ConcentratedError, IsNoneOfAFewElements) {
  report::Report report = quietReport({"bf16"});
  report::Comparison& row = rowOf(report, "bf16", "decoder.1");
  row.metrics = {0.01, 0.01, 1, 0.01 * std::sqrt(2)};
  row.compared = 2;
  EXPECT_THAT(findingsOf(report, "concentrated_error"), IsEmpty());
}

TEST(ConcentratedError, IsAFindingOfItsOwnWhereAVariantPeaksElsewhere) {
  report::Report report = quietReport({"a", "b", "c"});
  for (const char* run : {"a", "b", "c"}) {
    rowOf(report, run, "decoder.1").metrics = {0.01, 0.01, 1, 0.01 * 50};
  }
  rowOf(report, "b", "decoder.3").metrics = {0.01, 0.01, 1, 0.01 * 60};
  rowOf(report, "c", "decoder.1").metrics = {0.01, 0.01, 1, 0.01 * 55};
  const auto findings = findingsOf(report, "concentrated_error");
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_THAT(findings[0].runs, ElementsAre("a", "c"));
  EXPECT_THAT(findings[0].title.text(),
              HasSubstr("61.0–73.9 % of the squared error at decoder.1, forward; tensors of this "
                        "kind: 1 (a, c)"));
  EXPECT_THAT(findings[1].runs, ElementsAre("b"));
  EXPECT_THAT(siteNames(findings[1]), ElementsAre("decoder.3", "decoder.1"));
}

TEST(ConcentratedError, LeavesTheOptimizersRowsToTheGradients) {
  report::Report report = quietReport({"bf16"});
  report::Comparison& row = rowOf(report, "bf16", "decoder.1");
  row.metrics = {0.01, 0.01, 1, 0.01 * 50};
  row.site.pass = Pass::Optimizer;
  EXPECT_THAT(findingsOf(report, "concentrated_error"), IsEmpty());
}

TEST(ConcentratedError, LeavesOperationsToTheInputsThatExplainThem) {
  report::Report report = quietReport({"bf16"});
  const std::string name = "model.layers.2.input_layernorm.variance";
  test::insertRow(report, "decoder.2", name, Level::Op, 0.004).metrics.back() = 0.004 * 60;
  EXPECT_THAT(findingsOf(report, "concentrated_error"), IsEmpty());
  setError(rowOf(report, "bf16", name), 0.05);
  rowOf(report, "bf16", name).metrics.back() = 0.05 * 60;
  const auto findings = findingsOf(report, "concentrated_error");
  ASSERT_EQ(findings.size(), 1U) << "more than came in";
  EXPECT_THAT(siteNames(findings[0]), ElementsAre(name));
}

TEST(ConcentratedError, FindsASharedChannel) {
  report::Report report = quietReport({"bf16"});
  for (const char* name : {"decoder.1", "decoder.2", "decoder.3"}) {
    report::Comparison& row = rowOf(report, "bf16", name);
    row.metrics = {0.01, 0.01, 1, 0.01 * 25};
    row.worst = {{{0, 1, 7}, 1, 2}, {{0, 2, 7}, 1, 2}, {{0, 3, 7}, 1, 2}, {{0, 4, 7}, 1, 2}};
  }
  const auto findings = findingsOf(report, "concentrated_error");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].title.text(), HasSubstr("Channel 7 holds all the worst elements of 3"));
  rowOf(report, "bf16", "decoder.2").worst.back().index = {0, 4, 6};
  EXPECT_THAT(findingsOf(report, "concentrated_error"), IsEmpty());
}

TEST(LossChange, GradesTheChange) {
  report::Report report = quietReport({"a", "b", "c"});
  report.runs[1].loss = 2.5 * 1.002;
  report.runs[2].loss = 2.5 * 1.02;
  report.runs[3].loss = std::nan("");
  const auto findings = findingsOf(report, "loss_change");
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0].severity, FindingSeverity::Look);
  EXPECT_EQ(findings[1].severity, FindingSeverity::Broken);
  EXPECT_THAT(findings[2].title.text(), HasSubstr("The loss of c is NaN"));
  report.runs[3].status = report::RunStatus::Running;
  EXPECT_EQ(findingsOf(report, "loss_change").size(), 2U);
}

TEST(LossChange, ALossThatNobodyTookDoesNotDiffer) {
  report::Report report = quietReport({"a", "b"});
  for (const std::size_t run : {std::size_t{1}, std::size_t{2}}) {
    report.runs[run].loss = std::nan("");
  }
  report.runs[1].hasLoss = false;
  const auto findings = findingsOf(report, "loss_change");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].title.text(), HasSubstr("The loss of b is NaN"));
  report.runs[0].hasLoss = false;
  EXPECT_THAT(findingsOf(report, "loss_change"), IsEmpty()) << "there is none to compare with";
}

TEST(ClipFlips, CountsDecisionsThatDifferFromTheReferences) {
  report::Report report = quietReport({"a", "b"});
  const report::ClipSummary clips{
      .unit = "token", .count = 1000, .below = 3, .above = 4, .stopped = 7, .flips = 5};
  report.runs[1].step.terms = {{.type = "grpo", .clips = clips}};
  report.runs[2].step.terms = {{.type = "grpo", .clips = clips}};
  report.runs[2].step.terms[0].clips->flips = 4;
  const auto findings = findingsOf(report, "clip_flips");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].title.text(),
            "a decides otherwise than the reference on 5 of 1000 tokens (0.50 %) whether grpo "
            "clips them");
  EXPECT_THAT(siteNames(findings[0]), ElementsAre("logits"));
  EXPECT_EQ(findingsOf(report, "clip_flips", {{"clip_flips.share", 0.001}}).size(), 2U);
  report.runs[2].step.terms[0].clips->flips = 0;
  EXPECT_EQ(findingsOf(report, "clip_flips", {{"clip_flips.share", 0}}).size(), 1U);
}

TEST(LogProbabilityGap, IsFoundFromItsThresholdOn) {
  report::Report report = quietReport({"a", "b", "c"});
  report.runs[1].logProbabilities = report::LogProbabilityError{.tokens = 127,
                                                                .mean = -0.01,
                                                                .meanAbsolute = 0.04,
                                                                .rms = 0.05,
                                                                .largest = 0.25,
                                                                .epsilon = 0.01,
                                                                .shareAbove = 0.5,
                                                                .positions = 128,
                                                                .sameTop = 96};
  report.runs[2].logProbabilities = report::LogProbabilityError{.tokens = 127, .rms = 0.049};
  const auto findings = findingsOf(report, "log_probability_gap");
  ASSERT_EQ(findings.size(), 1U) << "and none of c, of which the report does not say";
  EXPECT_EQ(findings[0].title.text(),
            "a gives the chosen tokens other log-probabilities than the reference: RMS 0.05, at "
            "most 0.25, in nats, and 50.0 % of the tokens above 0.01");
  EXPECT_THAT(siteNames(findings[0]), ElementsAre("logits"));
  ASSERT_EQ(findings[0].numbers.size(), 6U);
  EXPECT_EQ(findings[0].numbers[5].value, 0.75);
  EXPECT_EQ(findingsOf(report, "log_probability_gap", {{"log_probability_gap.rms", 0.04}}).size(),
            2U);
  report.runs[1].logProbabilities->rms = std::nan("");
  EXPECT_THAT(findingsOf(report, "log_probability_gap"), IsEmpty());
}

TEST(LmHeadDominates, SuggestsAFloat32Head) {
  report::Report report = quietReport({"bf16"});
  report.effectiveJson =
      R"({"bf16":{"precision.lm_head_dtype":{"value":"bfloat16","origin":"variant"}}})";
  setError(rowOf(report, "bf16", "logits"), 0.01);
  const auto findings = findingsOf(report, "lm_head_dominates");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(siteNames(findings[0]), ElementsAre("logits", "norm"));
  EXPECT_THAT(findings[0].overrides, ElementsAre(std::pair("precision.lm_head_dtype", "float32")));
}

TEST(IdenticalVariant, GroupsRunsThatAreEqualBitForBit) {
  report::Report report = quietReport({"a", "b", "c"});
  report.runs[3].comparisons = report.runs[1].comparisons;
  EXPECT_THAT(findingsOf(report, "identical_variant"), IsEmpty());  // the losses differ
  report.runs[3].loss = report.runs[1].loss;
  const auto findings = findingsOf(report, "identical_variant");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].runs, ElementsAre("a", "c"));
  EXPECT_EQ(findings[0].title.text(), "c is identical to a");
}

TEST(IdenticalVariant, KnowsTheReference) {
  report::Report report = quietReport({"a"});
  for (report::Comparison& row : report.runs[1].comparisons) {
    row.metrics = {0, 0, 1, 0};
  }
  const auto findings = findingsOf(report, "identical_variant");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].title.text(), "a is identical to the reference");
}

TEST(IdenticalVariant, IsToldWhereATensorHasNoElements) {
  report::Report report = quietReport({"a", "b"});
  for (std::size_t run : {1U, 2U}) {
    for (report::Comparison& row : report.runs[run].comparisons) {
      row.metrics = {0, 0, 1, 0};
    }
    report::Comparison& empty = report.runs[run].comparisons.front();
    empty.metrics.assign(4, test::kNan);
    empty.count = empty.compared = 0;
  }
  report.runs[2].comparisons.back().variantNonFinite.nan = 1;
  const auto findings = findingsOf(report, "identical_variant");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].title.text(), "a is identical to the reference");
}

TEST(FindFindings, PutsPinnedRulesFirstThenExecutionOrder) {
  report::Report report = quietReport({"bf16"});
  setError(rowOf(report, "bf16", "logits"), 0.05);
  setError(rowOf(report, "bf16", "decoder.2", Pass::Backward), 0.2);
  rowOf(report, "bf16", "decoder.1").variantNonFinite = {1, 0, 0};
  std::vector<std::string> rules;
  for (const Finding& finding : findFindings(report)) {
    rules.push_back(finding.rule);
  }
  EXPECT_THAT(rules,
              ElementsAre("first_non_finite", "error_jump", "lm_head_dominates", "error_jump"));
}

TEST(FindFindings, IgnoresThresholdsThatItDoesNotKnowOrThatAreOutOfRange) {
  report::Report report = quietReport({"bf16"});
  setError(rowOf(report, "bf16", "decoder.2"), 0.05);
  EXPECT_EQ(
      findingsOf(report, "error_jump", {{"nothing.here", 1}, {"error_jump.factor", 0}}).size(), 1U);
}

TEST(FindFindings, KnowsTheBundledExample) {
  const std::filesystem::path file = ULP_SOURCE_DIR "/resources/example/precision_report.json";
  const auto loaded = report::loadReport(file);
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message();
  const auto findings = findFindings(*loaded->report);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings.front().rule, "first_divergence");
  // The residual stream of this model grows sixteenfold in one layer.
  const auto scale = std::ranges::find_if(
      findings, [](const Finding& finding) { return finding.rule == "scale_hides_error"; });
  ASSERT_NE(scale, findings.end());
  EXPECT_EQ(scale->sites.front().name, "decoder.11");
  EXPECT_EQ(scale->runs.size(), 4U);
  for (const Finding& finding : findings) {
    std::set<std::string> told;
    for (const report::FindingNumber& number : finding.numbers) {
      told.insert(number.run);
    }
    told.erase("");
    const bool areTold = finding.runs.size() < 2 || told.size() == finding.runs.size();
    EXPECT_TRUE(areTold) << finding.title.text() << ": not the numbers of each variant";
  }
}

TEST(FindFindings, CopesWithNothingButNan) {
  report::Report report = quietReport({"bf16"});
  for (report::Comparison& row : report.runs[1].comparisons) {
    test::fillWithNan(row);
  }
  report.runs[1].loss = std::nan("");
  const auto findings = findFindings(report);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].rule, "first_non_finite");
  EXPECT_EQ(findings[0].sites[0].name, "embeddings");
  EXPECT_EQ(findings[1].rule, "loss_change");
}

TEST(FindingTexts, AreShortAndExactWhereTheyCanBe) {
  EXPECT_EQ(numberText(134'217'728), "134217728") << "elements are counted";
  EXPECT_EQ(numberText(1e12), "1.00e12");
  EXPECT_EQ(numberText(1055.25), "1055");
  EXPECT_EQ(numberText(7.03e-8), "7.03e-8");
  EXPECT_EQ(numberText(-3), "-3");
  EXPECT_EQ(numberText(2.5), "2.5");
  EXPECT_EQ(numberText(0.123456), "0.123");
  EXPECT_EQ(namesText({}), "");
  EXPECT_EQ(namesText({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(namesText({"a", "b", "c", "d", "e"}), "a, b, c and 2 more");
  EXPECT_EQ(percentText(0.05), "5.00 %");
  Site site{"w", "m", -1, Level::Module, Pass::ParameterGradient};
  EXPECT_EQ(placeText(site), "w, parameter gradient");
  site.pass = Pass::Backward;
  EXPECT_EQ(placeText(site), "w, backward");
}

TEST(FindingRules, OperationsInAFormatThatIsNotKnownTellNothing) {
  report::Report report = quietReport({"x"});
  for (report::Comparison& row : report.runs[1].comparisons) {
    row.variantDType = "int4";
    row.site.level = Level::Op;
  }
  EXPECT_EQ(formatLimits("int4"), nullptr);
  EXPECT_THAT(findingsOf(report, "first_divergence"), IsEmpty());
}

TEST(FormatLimits, AreThoseOfTheFormats) {
  const auto limits = [](const char* dtype) {
    const FormatLimits* const found = formatLimits(dtype);
    return std::pair(found->roundOff, found->largest);
  };
  EXPECT_EQ(limits("float64").first, std::numeric_limits<double>::epsilon() / 2);
  EXPECT_EQ(limits("float32").first, std::numeric_limits<float>::epsilon() / 2);
  EXPECT_EQ(limits("float32").second, std::numeric_limits<float>::max());
  EXPECT_EQ(limits("float16"), std::pair(0x1p-11, 65504.0));
  EXPECT_EQ(limits("bfloat16").first, 0x1p-8);
  EXPECT_EQ(limits("float8_e4m3fn"), std::pair(0x1p-4, 448.0));
  EXPECT_EQ(limits("float8_e5m2"), std::pair(0x1p-3, 57344.0));
  EXPECT_EQ(limits("tf32").first, limits("float16").first);
  EXPECT_EQ(limits("mxfp8").first, limits("float8_e4m3fn").first);
  EXPECT_EQ(limits("mxfp4").first, 0.25);
  EXPECT_EQ(limits("nvfp4").first, 0.25);
}

}  // namespace
}  // namespace ulp::analysis
