#include "core/analysis/studies/counterfactual.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/study/reading/study.h"
#include "tests/core/analysis/studies/settings_report.h"

namespace ulp::analysis {
namespace {

using test::settingsReport;
using testing::Contains;
using testing::HasSubstr;

const Counterfactual* find(const CounterfactualStudy& plan, const std::string& name) {
  const auto found = std::ranges::find(plan.counterfactuals, name, &Counterfactual::name);
  return found == plan.counterfactuals.end() ? nullptr : &*found;
}

std::string valueIn(const CounterfactualStudy& plan, const std::string& run, const char* key) {
  const auto study = study::parseStudy(plan.yaml, "plan");
  EXPECT_TRUE(study.has_value()) << study.error().message() << plan.yaml;
  return study::effectiveSettings(*study, run).value().at(key).value;
}

constexpr const char* kCastStudy =
    "model.path: 'a \"model\"'\n"
    "input: {sequence_length: 12, seed: 3}\n"
    "reference: {precision.compute_dtype: bfloat16}\n"
    "variants:\n"
    "  module: {precision.compute_dtype: bfloat16, precision.cast: module}\n"
    "  eager: {precision.compute_dtype: float16, attention.implementation: eager}\n";

TEST(Counterfactual, OfTheCastKeepsTheFrequenciesOfRotaryTables) {
  const report::Report report = settingsReport(kCastStudy);
  const auto plan = planCounterfactuals({report, "reference"}, {report, "module"}, "", "out");
  ASSERT_TRUE(plan.has_value()) << plan.error().message();
  ASSERT_EQ(plan->counterfactuals.size(), 2U);
  const Counterfactual& tables = plan->counterfactuals.front();
  EXPECT_FALSE(tables.isWhole);
  EXPECT_EQ(valueIn(*plan, tables.name, "precision.cast"), "module");
  EXPECT_THAT(valueIn(*plan, tables.name, "precision.rules"), HasSubstr("rotary_emb$"));
  const Counterfactual* whole = find(*plan, "precision.cast=load");
  ASSERT_NE(whole, nullptr);
  EXPECT_TRUE(whole->isWhole);
}

TEST(Counterfactual, RepeatsBothRunsAndTheirInput) {
  const report::Report report = settingsReport(kCastStudy);
  const auto plan = planCounterfactuals({report, "reference"}, {report, "module"}, "", "out");
  ASSERT_TRUE(plan.has_value()) << plan.error().message();
  const auto study = study::parseStudy(plan->yaml, "plan");
  ASSERT_TRUE(study.has_value()) << study.error().message();
  EXPECT_EQ(study->modelPath, "a \"model\"");
  EXPECT_EQ(study->sequenceLength, 12);
  EXPECT_EQ(study->seed, 3U);
  EXPECT_EQ(study->captureTensors, study::TensorStorage::None);
  EXPECT_EQ(study->outputDir, "out");
  EXPECT_EQ(valueIn(*plan, "reference", "precision.compute_dtype"), "bfloat16");
  EXPECT_EQ(valueIn(*plan, "unchanged", "precision.cast"), "module");
}

TEST(Counterfactual, ChangesTheRunThatCanBeTakenBackInParts) {
  const report::Report report = settingsReport(kCastStudy);
  const auto plan = planCounterfactuals({report, "module"}, {report, "reference"}, "", "out");
  ASSERT_TRUE(plan.has_value()) << plan.error().message();
  EXPECT_EQ(plan->baseline, "reference");
  EXPECT_EQ(plan->candidate, "module");
  EXPECT_EQ(valueIn(*plan, "unchanged", "precision.cast"), "module");
}

TEST(Counterfactual, TakesBackOneSettingAtATimeAndFormatsAtTheFirstModule) {
  const report::Report report = settingsReport(kCastStudy);
  const auto plan =
      planCounterfactuals({report, "reference"}, {report, "eager"}, "model.layers.0.mlp", "out");
  ASSERT_TRUE(plan.has_value()) << plan.error().message();
  const Counterfactual* compute = find(*plan, "precision.compute_dtype=bfloat16");
  ASSERT_NE(compute, nullptr);
  EXPECT_FALSE(compute->isWhole);
  EXPECT_EQ(valueIn(*plan, compute->name, "attention.implementation"), "eager");
  EXPECT_EQ(valueIn(*plan, compute->name, "precision.residual_dtype"), "bfloat16");
  const Counterfactual* residual = find(*plan, "precision.residual_dtype=bfloat16");
  ASSERT_NE(residual, nullptr);
  EXPECT_EQ(valueIn(*plan, residual->name, "precision.compute_dtype"), "float16");
  const Counterfactual* module = find(*plan, "formats of model.layers.0.mlp");
  ASSERT_NE(module, nullptr);
  EXPECT_THAT(valueIn(*plan, module->name, "precision.rules"),
              HasSubstr(R"(^model\\.layers\\.0\\.mlp$)"));
}

TEST(Counterfactual, TakesBackAtAModuleWhatRulesMakeOfIt) {
  const report::Report report = settingsReport(
      "model.path: m\nvariants:\n"
      "  rule: {precision.rules: [{match: down_proj, compute_dtype: bfloat16},\n"
      "                           {match: up_proj, compute_dtype: float16, pass: backward}]}\n");
  const auto rulesAt = [&](std::string_view module) {
    const auto plan = planCounterfactuals({report, "reference"}, {report, "rule"}, module, "out");
    EXPECT_TRUE(plan.has_value()) << plan.error().message();
    const Counterfactual* found = find(*plan, "formats of " + std::string(module));
    return found == nullptr ? "" : valueIn(*plan, found->name, "precision.rules");
  };
  EXPECT_THAT(rulesAt("l.0.down_proj"),
              HasSubstr(R"({"match":"^l\\.0\\.down_proj$","compute_dtype":"float32")"));
  // Some formats have one value in both passes.
  EXPECT_THAT(rulesAt("l.0.up_proj"),
              HasSubstr(R"({"match":"^l\\.0\\.up_proj$","compute_dtype":"float32")"));
  EXPECT_EQ(rulesAt("l.0.gate_proj"), "") << "no format differs there";
}

TEST(Counterfactual, KeepsThePassesApartThatTheBaselineKeepsApart) {
  const report::Report report = settingsReport(
      "model.path: m\nvariants:\n"
      "  split: {precision.rules: [{match: up, compute_dtype: bfloat16, pass: backward}]}\n"
      "  whole: {precision.rules: [{match: up, compute_dtype: float16}]}\n");
  const auto plan = planCounterfactuals({report, "split"}, {report, "whole"}, "up", "out");
  ASSERT_TRUE(plan.has_value()) << plan.error().message();
  const std::string rules = valueIn(*plan, "formats of up", "precision.rules");
  EXPECT_THAT(rules, HasSubstr(R"({"match":"^up$","pass":"forward","compute_dtype":"float32")"));
  EXPECT_THAT(rules, HasSubstr(R"({"match":"^up$","pass":"backward","compute_dtype":"bfloat16")"));
}

TEST(Counterfactual, TakesBackWhatTheBaselineDoesNotHave) {
  const report::Report report = settingsReport(
      "model.path: m\nengine: python\nvariants:\n  mine: {python.prepare: 'm.py:change'}\n");
  const auto plan = planCounterfactuals({report, "reference"}, {report, "mine"}, "", "out");
  ASSERT_TRUE(plan.has_value()) << plan.error().message();
  ASSERT_EQ(plan->counterfactuals.size(), 1U);
  const Counterfactual& without = plan->counterfactuals[0];
  EXPECT_EQ(without.name, "without python.prepare");
  EXPECT_EQ(without.cause.text(), "python.prepare: m.py:change");
  EXPECT_EQ(without.change.text(), "python.prepare: (none)");
  EXPECT_EQ(valueIn(*plan, without.name, "python.prepare"), "");
  EXPECT_EQ(valueIn(*plan, "unchanged", "python.prepare"), "m.py:change");
  EXPECT_TRUE(without.isWhole);
}

TEST(Counterfactual, OfThePythonEngineTakesBackItsOwnLeversAlone) {
  report::Report report = settingsReport(
      "model.path: m\nengine: python\nvariants:\n  bf16: {precision.compute_dtype: bfloat16}\n");
  report.provenance.engine = "Python 3.11";
  const auto plan = planCounterfactuals({report, "reference"}, {report, "bf16"}, "l.0", "out");
  ASSERT_TRUE(plan.has_value()) << plan.error().message();
  ASSERT_EQ(plan->counterfactuals.size(), 2U);
  EXPECT_EQ(valueIn(*plan, "formats of l.0", "precision.rules"),
            R"([{"match":"^l\\.0$","compute_dtype":"float32"}])");
  EXPECT_EQ(plan->counterfactuals[1].name, "precision.compute_dtype=float32");
}

TEST(Counterfactual, LeavesFormatsInsideOfFusedAttentionAlone) {
  const report::Report report = settingsReport(
      "model.path: m\nvariants:\n  half: {precision.compute_dtype: float16}\n"
      "  eager: {attention.implementation: eager, precision.compute_dtype: float16}\n");
  const auto fused = planCounterfactuals({report, "reference"}, {report, "half"}, "", "out");
  ASSERT_TRUE(fused.has_value()) << fused.error().message();
  EXPECT_EQ(find(*fused, "precision.attention_scores_dtype=float32"), nullptr);
  const auto eager = planCounterfactuals({report, "reference"}, {report, "eager"}, "", "out");
  ASSERT_TRUE(eager.has_value()) << eager.error().message();
  EXPECT_NE(find(*eager, "precision.attention_scores_dtype=float32"), nullptr);
}

TEST(Counterfactual, SaysInWhichKeysItTakesADifferenceBack) {
  const report::Report report = settingsReport(kCastStudy);
  const auto cast = planCounterfactuals({report, "reference"}, {report, "module"}, "", "out");
  ASSERT_TRUE(cast.has_value()) << cast.error().message();
  EXPECT_THAT(cast->counterfactuals.front().keys, testing::ElementsAre("precision.cast"));
  const auto eager = planCounterfactuals({report, "reference"}, {report, "eager"}, "mlp", "out");
  ASSERT_TRUE(eager.has_value()) << eager.error().message();
  EXPECT_THAT(find(*eager, "formats of mlp")->keys, Contains("precision.compute_dtype"));
  EXPECT_THAT(find(*eager, "attention.implementation=sdpa")->keys,
              testing::ElementsAre("attention.implementation"));
}

TEST(Counterfactual, RefusesRunsThatDifferInWhatFusedAttentionIgnores) {
  const report::Report report = settingsReport(
      "model.path: m\nvariants:\n  a: {precision.softmax_dtype: bfloat16}\n  b: {}\n");
  const auto plan = planCounterfactuals({report, "b"}, {report, "a"}, "", "out");
  ASSERT_FALSE(plan.has_value());
  EXPECT_THAT(plan.error().message(), HasSubstr("attention.implementation: eager"));
}

TEST(Counterfactual, RefusesWhatItCannotExplain) {
  const report::Report report = settingsReport(kCastStudy);
  const auto codeOf =
      [&](const report::Report& a, const char* runA, const report::Report& b, const char* runB) {
        return planCounterfactuals({a, runA}, {b, runB}, "", "out").error().code();
      };
  EXPECT_EQ(codeOf(report, "module", report, "module"), ErrorCode::InvalidArgument);
  report::Report other = report;
  other.provenance.tokenDigest = "others";
  EXPECT_EQ(codeOf(report, "reference", other, "module"), ErrorCode::InvalidArgument);
  other = report;
  other.effectiveJson = "";
  EXPECT_EQ(codeOf(report, "reference", other, "module"), ErrorCode::InvalidArgument);
  other = settingsReport(std::string(kCastStudy) + "loss: {type: z_loss}\n");
  EXPECT_EQ(codeOf(report, "reference", other, "module"), ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace ulp::analysis
