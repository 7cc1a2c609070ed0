#include "core/analysis/verdict/run_verdict.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/findings/all_findings.h"
#include "tests/core/analysis/findings/rule_report.h"
#include "tests/support/data/fixture_case.h"

namespace ulp::analysis {
namespace {

using report::FindingSeverity;
using test::quietReport;
using test::rowOf;
using test::setError;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<RunVerdict> verdictsOf(const report::Report& report, const char* metric = "rms_rel") {
  const auto findings = allFindings(report);
  EXPECT_TRUE(findings.has_value());
  return findVerdicts(report, *findings, metric);
}

std::vector<std::string> judgedRuns(const std::vector<RunVerdict>& verdicts) {
  std::vector<std::string> runs;
  for (const RunVerdict& verdict : verdicts) {
    runs.push_back(verdict.run);
  }
  return runs;
}

double numberOf(const VerdictPart& part, const char* name) {
  for (const report::FindingNumber& number : part.numbers) {
    if (number.name == name) {
      return number.value;
    }
  }
  return std::nan("");
}

TEST(RunVerdict, SaysWhatDoesNotStandOut) {
  const auto verdicts = verdictsOf(quietReport({"bf16"}));
  ASSERT_EQ(verdicts.size(), 1U);
  const RunVerdict& verdict = verdicts[0];
  EXPECT_EQ(verdict.severity, std::nullopt);
  EXPECT_EQ(verdict.born.text.text(), "no tensor stands out");
  EXPECT_EQ(verdict.born.site, std::nullopt);
  EXPECT_EQ(verdict.grows.text.text(), "nowhere 2-fold");
  EXPECT_EQ(verdict.grows.site, std::nullopt);
  EXPECT_FALSE(verdict.helps.isKnown()) << "no other variant";
}

TEST(RunVerdict, SaysFromWhereOnTheReferenceIsNotFinite) {
  report::Report report = quietReport({"bf16"});
  bool isBehind = false;
  for (report::Comparison& row : report.runs[1].comparisons) {
    isBehind = isBehind || row.site.name == "decoder.2";
    if (isBehind) {
      test::fillWithNan(row);
      row.referenceNonFinite = row.variantNonFinite;
    }
  }
  const RunVerdict verdict = verdictsOf(report).front();
  EXPECT_EQ(verdict.born.text.text(),
            "not known: the reference itself is not finite from decoder.2 on");
  EXPECT_EQ(verdict.born.site->name, "decoder.2");
  EXPECT_FALSE(verdict.grows.isKnown());
  EXPECT_EQ(verdict.worst.text.text(), "0.20 % at embeddings; not judged from decoder.2 on");
  EXPECT_FALSE(verdict.helps.isKnown());
  setError(rowOf(report, "bf16", "decoder.1"), 0.3);
  EXPECT_EQ(verdictsOf(report).front().born.text.text(), "decoder.1 (0.20 → 30.0 %)");
}

TEST(RunVerdict, JudgesTheForwardPassOfAReferenceWhoseGradientsAreNotFinite) {
  report::Report report = quietReport({"bf16"});
  report::Comparison& row = rowOf(report, "bf16", "decoder.2", Pass::Backward);
  row.referenceNonFinite = row.variantNonFinite = {.nan = 1};
  const RunVerdict verdict = verdictsOf(report).front();
  EXPECT_EQ(verdict.grows.text.text(), "nowhere 2-fold");
  EXPECT_EQ(verdict.worst.text.text(),
            "0.20 % at embeddings; not judged from decoder.2, backward on");
}

/// Everything that is said of the report, by rules and by verdicts.
std::string saidOf(const report::Report& report) {
  std::string text;
  const auto findings = allFindings(report);
  EXPECT_TRUE(findings.has_value());
  for (const report::Finding& finding : *findings) {
    text += finding.rule + ": " + finding.title.text() + "\n" + finding.explanation.text() + "\n";
  }
  for (const RunVerdict& verdict : findVerdicts(report, *findings, "rms_rel")) {
    for (const VerdictPart* const part :
         {&verdict.born, &verdict.grows, &verdict.worst, &verdict.helps}) {
      text += verdict.run + ": " + part->text.text() + "\n";
    }
  }
  return text;
}

TEST(RunVerdict, IsTheSameWhicheverMetricIsTheFirstOfTheReport) {
  report::Report report = quietReport({"bf16", "same", "wide"});
  report.metrics.push_back({"equal_fraction"});
  for (report::Run& run : report.runs) {
    for (report::Comparison& row : run.comparisons) {
      const bool isSame = run.name == "same";
      row.metrics = isSame ? std::vector<double>{0, 0, 1, 0, 1}
                           : std::vector<double>{0.002, 0.002, 1, 0.004, 0.5};
      row.worst.clear();
    }
  }
  rowOf(report, "bf16", "decoder.2").metrics = {0.05, 0.05, 1, 0.1, 0.25};
  rowOf(report, "wide", "decoder.1").metrics = {0.02, 0.02, 1, 40, 0.25};
  const std::string said = saidOf(report);
  EXPECT_THAT(said, HasSubstr("same: every number equals the reference's"));
  EXPECT_THAT(said, HasSubstr("bf16: decoder.2 (0.20 → 5.00 %)"));
  for (std::size_t first = 1; first < 5; ++first) {
    report::Report turned = report;
    std::ranges::rotate(turned.metrics, turned.metrics.begin() + 1);
    for (report::Run& run : turned.runs) {
      for (report::Comparison& row : run.comparisons) {
        if (!row.metrics.empty()) {
          std::ranges::rotate(row.metrics, row.metrics.begin() + 1);
        }
      }
    }
    report = turned;
    EXPECT_EQ(saidOf(report), said) << report.metrics.front().id << " first";
  }
}

TEST(RunVerdict, IsBornWhereMoreErrorIsMadeThanCameIn) {
  report::Report report = quietReport({"bf16"});
  setError(rowOf(report, "bf16", "decoder.2"), 0.05);
  setError(rowOf(report, "bf16", "decoder.3"), 0.06);
  const auto verdict = verdictsOf(report).at(0);
  EXPECT_EQ(verdict.severity, FindingSeverity::Look);
  EXPECT_EQ(verdict.born.text.text(), "decoder.2 (0.20 → 5.00 %)");
  ASSERT_TRUE(verdict.born.site.has_value());
  EXPECT_EQ(verdict.born.site->name, "decoder.2");
  EXPECT_EQ(numberOf(verdict.born, "carried in"), 0.002);
  EXPECT_EQ(numberOf(verdict.born, "error"), 0.05);
}

TEST(RunVerdict, GrowsFromTheLowestErrorBehindItsBirthToTheHighestLaterOne) {
  report::Report report = quietReport({"bf16"}, 6);
  const std::vector<double> errors{0.02, 0.01, 0.02, 0.08, 0.1, 0.09};
  for (std::size_t layer = 0; layer < errors.size(); ++layer) {
    setError(rowOf(report, "bf16", "decoder." + std::to_string(layer)), errors[layer]);
  }
  setError(rowOf(report, "bf16", "norm"), 0.02);
  const auto verdict = verdictsOf(report).at(0);
  EXPECT_EQ(verdict.born.site->name, "decoder.0") << "embeddings are in front of the birth";
  EXPECT_EQ(verdict.grows.text.text(),
            "×10.0 from decoder.1 to decoder.4, most at decoder.3 (×4.0)");
  EXPECT_EQ(verdict.grows.site->name, "decoder.3");
  EXPECT_NEAR(numberOf(verdict.grows, "before"), 0.01, 1e-12) << "of the layer named first";
  EXPECT_NEAR(numberOf(verdict.grows, "factor"), 10, 1e-12);
  EXPECT_NEAR(numberOf(verdict.grows, "steepest factor"), 4, 1e-12);
}

TEST(RunVerdict, GrowthOfOneLayerIsToldAtThatLayerAndRoundOffDoesNotGrow) {
  report::Report report = quietReport({"bf16"});
  setError(rowOf(report, "bf16", "decoder.2"), 0.007);
  EXPECT_EQ(verdictsOf(report).at(0).grows.text.text(), "stays below 0.78 %")
      << "two unit round-offs of bfloat16";
  setError(rowOf(report, "bf16", "decoder.2"), 0.008);
  const auto verdict = verdictsOf(report).at(0);
  EXPECT_EQ(verdict.grows.text.text(), "×4.0 at decoder.2");
  EXPECT_EQ(verdict.grows.site->name, "decoder.2");
}

TEST(RunVerdict, IsWorstWhereALayersOutputOrItsGradientIsWorstByTheMetric) {
  report::Report report = quietReport({"bf16"});
  setError(rowOf(report, "bf16", "decoder.1", Pass::Backward), 0.3, 1e-4);
  setError(rowOf(report, "bf16", "decoder.2"), 0.01, 50);
  const auto relative = verdictsOf(report).at(0);
  EXPECT_EQ(relative.worst.text.text(), "30.0 % at decoder.1, backward");
  EXPECT_EQ(relative.worst.site->pass, Pass::Backward);
  report::Report parts = report;
  test::insertRow(parts, "decoder.3", "model.layers.3.mlp", Level::Module, 0.9);
  EXPECT_EQ(verdictsOf(parts).at(0).worst.site->name, "decoder.1") << "a part of a layer is none";
  const auto absolute = verdictsOf(report, "rms_diff").at(0);
  EXPECT_EQ(absolute.worst.site->name, "decoder.2");
  EXPECT_EQ(absolute.worst.numbers.front().value, 0.5);
}

TEST(RunVerdict, WhatIsNotFiniteIsWorseThanAnyError) {
  report::Report report = quietReport({"bf16", "fp16"});
  setError(rowOf(report, "bf16", "decoder.1"), 0.3);
  rowOf(report, "fp16", "decoder.2").variantNonFinite = {3, 2, 1};
  const auto verdicts = verdictsOf(report);
  EXPECT_THAT(judgedRuns(verdicts), ElementsAre("fp16", "bf16")) << "the gravest first";
  EXPECT_EQ(verdicts[0].severity, FindingSeverity::Broken);
  EXPECT_EQ(verdicts[0].worst.text.text(), "not finite from decoder.2 on");
  EXPECT_EQ(verdicts[0].born.text.text(), "decoder.2, not finite: 6 of 4096");
}

TEST(RunVerdict, WhatIsNotFiniteStandsFirstAlsoWhereMoreIsBetter) {
  report::Report report = quietReport({"bf16", "fp16"});
  report.metrics[1].id = "cosine";
  for (report::Run& run : report.runs) {
    for (report::Comparison& row : run.comparisons) {
      row.metrics[1] = 0.99994;
    }
  }
  report.runs[1].loss *= 2;
  rowOf(report, "fp16", "decoder.2").variantNonFinite = {3, 2, 1};
  const auto verdicts = verdictsOf(report, "cosine");
  ASSERT_EQ(verdicts[0].severity, verdicts[1].severity) << "a loss may be broken as well";
  EXPECT_THAT(judgedRuns(verdicts), ElementsAre("fp16", "bf16"));
  EXPECT_THAT(verdicts[1].worst.text.text(), testing::StartsWith("0.999940 at "));
}

TEST(RunVerdict, WhereNoLayerIsOffTheWorstIsAmongTheOthers) {
  report::Report report = quietReport({"a"});
  for (report::Comparison& row : report.runs[1].comparisons) {
    setError(row, 0);
  }
  report::Comparison row = report.runs[1].comparisons.front();
  row.site = {"w", "m", 1, Level::Module, Pass::ParameterGradient};
  setError(row, 0.5);
  report.runs[1].comparisons.push_back(row);
  const auto verdict = verdictsOf(report).at(0);
  EXPECT_EQ(verdict.born.text.text(), "w, parameter gradient (0 → 50.0 %)");
  EXPECT_EQ(verdict.worst.text.text(), "50.0 % at w, parameter gradient");
}

TEST(RunVerdict, UlpThatSayNothingAreNotTheWorst) {
  report::Report report = quietReport({"bf16"});
  report.metrics[1].id = "ulp.max";
  for (report::Comparison& row : report.runs[1].comparisons) {
    row.referenceDType = "float32";
    row.variantDType = "bfloat16";
    row.metrics[1] = 1;
  }
  rowOf(report, "bf16", "decoder.1").metrics[1] = 300;
  rowOf(report, "bf16", "decoder.2").metrics[1] = 1.5e36;
  const auto verdict = verdictsOf(report, "ulp.max").at(0);
  EXPECT_EQ(verdict.worst.site->name, "decoder.1");
  EXPECT_EQ(verdict.worst.numbers.front().value, 300);
}

TEST(RunVerdict, NumbersAreThoseOfTheVariantInWhoseLineTheyStand) {
  report::Report report = quietReport({"a", "b"});
  setError(rowOf(report, "a", "decoder.1"), 0.05);
  setError(rowOf(report, "b", "decoder.1"), 0.02);
  const auto verdicts = verdictsOf(report);
  ASSERT_THAT(judgedRuns(verdicts), ElementsAre("a", "b")) << "the worse first";
  EXPECT_THAT(verdicts[0].born.text.text(), HasSubstr("5.00 %"));
  EXPECT_THAT(verdicts[1].born.text.text(), HasSubstr("2.00 %"));
}

/// Four variants of two settings, of which the residual stream lowers the error of the logits more.
report::Report twoLevers() {
  report::Report report = quietReport({"plain", "head", "residual", "both"});
  report.effectiveJson = R"({
    "plain":{"precision.residual_dtype":{"value":"bfloat16","origin":"variant"},"precision.lm_head_dtype":{"value":"bfloat16","origin":"variant"}},
    "head":{"precision.residual_dtype":{"value":"bfloat16","origin":"variant"},"precision.lm_head_dtype":{"value":"float32","origin":"variant"}},
    "residual":{"precision.residual_dtype":{"value":"float32","origin":"variant"},"precision.lm_head_dtype":{"value":"bfloat16","origin":"variant"}},
    "both":{"precision.residual_dtype":{"value":"float32","origin":"variant"},"precision.lm_head_dtype":{"value":"float32","origin":"variant"}}})";
  const std::vector<std::pair<const char*, double>> errors{
      {"plain", 0.04}, {"head", 0.036}, {"residual", 0.01}, {"both", 0.0099}};
  for (const auto& [run, error] : errors) {
    setError(rowOf(report, run, "logits"), error);
  }
  return report;
}

TEST(RunVerdict, TheSettingThatHelpsMostIsMeasuredBetweenVariantsThatDifferInItAlone) {
  const auto verdicts = verdictsOf(twoLevers());
  const auto helpOf = [&](const char* run) {
    return std::ranges::find(verdicts, run, &RunVerdict::run)->helps;
  };
  EXPECT_EQ(helpOf("plain").text.text(), "residual_dtype: float32 (×0.25)");
  EXPECT_EQ(helpOf("plain").otherRun, "residual");
  EXPECT_EQ(helpOf("plain").site->name, "logits");
  EXPECT_EQ(helpOf("head").otherRun, "both");
  EXPECT_EQ(helpOf("residual").text.text(), "nothing that was tried") << "one per cent is no help";
  EXPECT_EQ(helpOf("residual").site, std::nullopt);
}

TEST(RunVerdict, ASettingThatIsNotAboutPrecisionIsNamedWithItsSection) {
  report::Report report = quietReport({"plain", "scaled"});
  report.effectiveJson = R"({
    "plain":{"gradient.scale":{"value":"auto","origin":"variant"}},
    "scaled":{"gradient.scale":{"value":"1","origin":"variant"}}})";
  setError(rowOf(report, "plain", "logits"), 0.04);
  setError(rowOf(report, "scaled", "logits"), 0.01);
  const auto verdicts = verdictsOf(report);
  EXPECT_EQ(std::ranges::find(verdicts, "plain", &RunVerdict::run)->helps.text.text(),
            "gradient.scale: 1 (×0.25)");
}

TEST(RunVerdict, ASettingByWhichTheLogitsAreNotFiniteHelpsNothing) {
  report::Report report = twoLevers();
  rowOf(report, "residual", "logits").variantNonFinite = {1, 0, 0};
  const auto verdicts = verdictsOf(report);
  EXPECT_EQ(std::ranges::find(verdicts, "plain", &RunVerdict::run)->helps.otherRun, "head");
}

TEST(RunVerdict, ASettingByWhichTheLogitsBecomeFiniteHelpsMost) {
  report::Report report = twoLevers();
  rowOf(report, "plain", "logits").variantNonFinite = {9, 0, 0};
  setError(rowOf(report, "head", "logits"), 0.06);
  const auto helpOf = [&](const char* run) {
    const auto verdicts = verdictsOf(report);
    return std::ranges::find(verdicts, run, &RunVerdict::run)->helps;
  };
  EXPECT_EQ(helpOf("plain").text.text(), "residual_dtype: float32 (nothing but finite)");
  EXPECT_EQ(numberOf(helpOf("plain"), "not finite before"), 9);
  rowOf(report, "residual", "logits").variantNonFinite = {2, 0, 0};
  EXPECT_EQ(helpOf("plain").otherRun, "head") << "although its error is larger";
  rowOf(report, "head", "logits").variantNonFinite = {4, 1, 0};
  EXPECT_EQ(helpOf("plain").text.text(), "residual_dtype: float32 (not finite: 2, was 9)");
  for (const char* run : {"plain", "head", "residual"}) {
    test::fillWithNan(rowOf(report, run, "logits"));
  }
  EXPECT_EQ(helpOf("plain").text.text(), "nothing that was tried");
  EXPECT_EQ(helpOf("head").text.text(), "residual_dtype: float32 (nothing but finite)");
  EXPECT_EQ(helpOf("head").site->name, "logits");
}

TEST(RunVerdict, ASettingMayHelpTheGradientsAlone) {
  report::Report report = twoLevers();
  for (const char* run : {"plain", "head", "residual", "both"}) {
    setError(rowOf(report, run, "logits"), 0.04);
  }
  setError(rowOf(report, "plain", "decoder.0", Pass::Backward), 0.6);
  const auto helpOf = [&](const char* run) {
    const auto verdicts = verdictsOf(report);
    return std::ranges::find(verdicts, run, &RunVerdict::run)->helps;
  };
  EXPECT_EQ(helpOf("plain").text.text(),
            "residual_dtype: float32 (×0.0033 at decoder.0, backward)");
  EXPECT_EQ(helpOf("plain").site->pass, Pass::Backward);
  rowOf(report, "plain", "decoder.0", Pass::Backward).variantNonFinite = {3, 0, 0};
  EXPECT_EQ(helpOf("plain").text.text(),
            "residual_dtype: float32 (nothing but finite at decoder.0, backward)");
}

TEST(RunVerdict, AConfigurationThatCannotBeReadLeavesTheOtherAnswers) {
  report::Report report = twoLevers();
  report.effectiveJson = "{";
  const auto verdicts = verdictsOf(report);
  ASSERT_EQ(verdicts.size(), 4U);
  EXPECT_FALSE(verdicts[0].helps.isKnown());
  EXPECT_EQ(verdicts[0].worst.site->name, "logits");
}

TEST(RunVerdict, WhatTheNoiseFloorCoversIsMarked) {
  report::Report report = quietReport({"bf16", "floor.repeat"});
  report.runs.back().role = report::RunRole::Floor;
  setError(rowOf(report, "bf16", "decoder.1"), 0.01);
  setError(rowOf(report, "floor.repeat", "decoder.1"), 0.02);
  const auto verdicts = verdictsOf(report);
  ASSERT_THAT(judgedRuns(verdicts), ElementsAre("bf16"));
  EXPECT_TRUE(verdicts[0].worst.isWithinNoise);
  setError(rowOf(report, "floor.repeat", "decoder.1"), 0.005);
  EXPECT_FALSE(verdictsOf(report).at(0).worst.isWithinNoise);
}

TEST(RunVerdict, AVariantThatEqualsTheReferenceHasNothingElseToSay) {
  report::Report report = quietReport({"same"});
  report.metrics = {{"rms_rel"}, {"equal_fraction"}};
  for (report::Comparison& row : report.runs[1].comparisons) {
    row.metrics = {0, 1};
  }
  const auto verdict = verdictsOf(report).at(0);
  EXPECT_EQ(verdict.born.text.text(), "every number equals the reference's");
  EXPECT_FALSE(verdict.grows.isKnown() || verdict.worst.isKnown() || verdict.helps.isKnown());
  report.runs[1].comparisons[3].metrics = {0, 0.5};
  EXPECT_EQ(verdictsOf(report).at(0).born.text.text(), "no tensor stands out");
}

TEST(RunVerdict, ARunThatFailedStandsFirstAndNothingOfItIsCleared) {
  report::Report report = quietReport({"fp16", "bad"});
  rowOf(report, "fp16", "decoder.2").variantNonFinite = {3, 2, 1};
  report.runs[2].status = report::RunStatus::Failed;
  report.runs[2].error = "bad: RuntimeError: planted\ntraceback";
  for (const std::size_t compared : {3U, 0U}) {
    report.runs[2].comparisons.resize(compared);
    const auto verdicts = verdictsOf(report);
    ASSERT_THAT(judgedRuns(verdicts), ElementsAre("bad", "fp16")) << compared;
    EXPECT_EQ(verdicts[0].severity, FindingSeverity::Broken);
    EXPECT_EQ(verdicts[0].born.text.text(), "it failed: RuntimeError: planted");
    EXPECT_EQ(verdicts[0].born.proof, "failed_run");
    EXPECT_FALSE(verdicts[0].worst.isKnown());
  }
}

TEST(RunVerdict, IsBornBeyondTheNoiseFloor) {
  report::Report report = quietReport({"eager", "floor.attention"});
  report.runs.back().role = report::RunRole::Floor;
  for (const char* run : {"eager", "floor.attention"}) {
    setError(rowOf(report, run, "decoder.1"), 0.05);
  }
  EXPECT_EQ(verdictsOf(report).at(0).born.text.text(), "nowhere beyond the noise floor");
  setError(rowOf(report, "eager", "decoder.3"), 0.5);
  EXPECT_EQ(verdictsOf(report).at(0).born.site->name, "decoder.3");
}

report::Finding culpritOf(const std::string& run, const char* name) {
  return {.rule = "culprit",
          .severity = FindingSeverity::Look,
          .title = {std::string(name) + ": adds 5 %", {}},
          .explanation = {"Sureness %1: %2", {"high", "what went in agrees"}},
          .numbers = {{"error", 0.05, true}},
          .sites = {test::layerSite("decoder.1", 1, Pass::Forward)},
          .runs = {run}};
}

TEST(RunVerdict, OfDumpsTheCulpritIsToldAndNotItsConsequences) {
  report::Report report = quietReport({"step 0", "step 1", "step 2"});
  report.dumps.emplace();
  for (const char* run : {"step 1", "step 2"}) {
    setError(rowOf(report, run, "decoder.3"), 0.5);
  }
  report::setFindings(report, {culpritOf("step 2", "mlp"), culpritOf("step 1", "norm")});
  const auto verdicts = verdictsOf(report);
  ASSERT_THAT(judgedRuns(verdicts), ElementsAre("step 2", "step 1", "step 0"))
      << "the findings begin with the unit to look at first";
  EXPECT_EQ(verdicts[0].born.text.text(), "mlp: adds 5 %");
  EXPECT_EQ(verdicts[0].born.site->name, "decoder.1");
  EXPECT_EQ(verdicts[0].born.proof, "culprit");
  EXPECT_EQ(verdicts[0].sureness.text.text(), "high: what went in agrees");
  EXPECT_FALSE(verdicts[0].grows.isKnown());
  EXPECT_EQ(verdicts[0].worst.text.text(), "50.0 % at decoder.3");
  EXPECT_THAT(verdicts[2].born.text.text(), HasSubstr("no call makes a larger error"));
}

TEST(RunVerdict, OfDumpsThatAreNotComparedToTheEndNothingIsCleared) {
  report::Report report = quietReport({"step 0"});
  report.dumps.emplace();
  report.runs[1].status = report::RunStatus::Cancelled;
  EXPECT_FALSE(verdictsOf(report).at(0).born.isKnown());
}

TEST(RunVerdict, CopesWithNothingAndWithNothingButNan) {
  EXPECT_TRUE(verdictsOf(report::Report{}).empty());
  report::Report report = quietReport({"bf16"});
  for (report::Comparison& row : report.runs[1].comparisons) {
    test::fillWithNan(row);
  }
  const auto verdict = verdictsOf(report).at(0);
  EXPECT_EQ(verdict.worst.text.text(), "not finite from embeddings on");
  EXPECT_FALSE(verdict.grows.isKnown());
}

TEST(VerdictTable, HasALineForEachVariantAndNoColumnOfWhichNothingIsKnown) {
  report::Report report = quietReport({"bf16"});
  setError(rowOf(report, "bf16", "decoder.2"), 0.05);
  const auto findings = allFindings(report);
  ASSERT_TRUE(findings.has_value());
  const report::TextTable table = verdictTable(report, *findings);
  std::vector<std::string> titles;
  for (const report::TableColumn& column : table.columns) {
    titles.push_back(column.title);
  }
  EXPECT_THAT(titles, ElementsAre("variant", "born at", "grows forward", "worst layer"));
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_THAT(
      table.rows[0],
      ElementsAre("bf16", "decoder.2 (0.20 → 5.00 %)", "nowhere 2-fold", "5.00 % at decoder.2"));
}

TEST(VerdictTable, TellsOfTheChosenRunsMetricAndPasses) {
  report::Report report = quietReport({"bf16", "fp16"});
  setError(rowOf(report, "bf16", "decoder.1", Pass::Backward), 0.3, 1e-4);
  setError(rowOf(report, "bf16", "decoder.2"), 0.01, 50);
  const auto findings = allFindings(report);
  ASSERT_TRUE(findings.has_value());
  const auto worstOf = [&](const report::ExportOptions& options) {
    const report::TextTable table = verdictTable(report, *findings, options);
    EXPECT_EQ(table.rows.size(), options.runs.empty() ? 2U : 1U);
    const auto column =
        std::ranges::find(table.columns, "worst layer", &report::TableColumn::title);
    const auto row = std::ranges::find(
        table.rows, "bf16", [](const std::vector<std::string>& cells) { return cells.front(); });
    return row->at(static_cast<std::size_t>(column - table.columns.begin()));
  };
  EXPECT_EQ(worstOf({.runs = {"bf16"}}), "30.0 % at decoder.1, backward");
  EXPECT_EQ(worstOf({.passes = {Pass::Forward}}), "1.00 % at decoder.2");
  EXPECT_THAT(worstOf({.metrics = {"rms_diff", "rms_rel"}}), HasSubstr(" at decoder.2"));
  rowOf(report, "bf16", "decoder.3", Pass::Backward).variantNonFinite = {1, 0, 0};
  EXPECT_EQ(worstOf({.passes = {Pass::Forward}}), "1.00 % at decoder.2");
  EXPECT_EQ(worstOf({}), "not finite from decoder.3, backward on");
}

TEST(VerdictTable, AnswersForTheFirstReport) {
  const auto loaded = report::loadReport(test::fixture("reports/first"));
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message();
  const auto verdicts = verdictsOf(*loaded->report);
  ASSERT_THAT(judgedRuns(verdicts),
              testing::UnorderedElementsAre(
                  "bf16", "bf16_fp32_lm_head", "bf16_fp32_residual", "bf16_max_precision"));
  const auto bf16 = *std::ranges::find(verdicts, "bf16", &RunVerdict::run);
  EXPECT_EQ(bf16.born.text.text(), "model.layers.3.self_attn (0.54 → 1.89 %)");
  EXPECT_THAT(bf16.grows.text.text(), HasSubstr("most at decoder.28 (×2.8)"));
  EXPECT_THAT(bf16.worst.text.text(), HasSubstr("11"));
  EXPECT_EQ(bf16.helps.otherRun, "bf16_fp32_residual");
}

}  // namespace
}  // namespace ulp::analysis
