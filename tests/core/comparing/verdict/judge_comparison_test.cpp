#include "core/comparing/verdict/judge_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/numerics/metrics/metric.h"
#include "tests/core/analysis/tensors/tensor_pair_fixture.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// One unit: an output of which one element of two differs by 20 %, and one that is equal.
DumpComparison comparisonOf(float second) {
  const auto build = [](float value) {
    auto unit = std::make_shared<test::BuiltUnit>();
    unit->module("model.layers.0.mlp");
    unit->tensor(Role::Output, "0", {3, value});
    unit->module("model.norm");
    unit->tensor(Role::Output, "0", {1, 2});
    return unit;
  };
  test::BuiltDump baseline;
  baseline.add(build(4));
  test::BuiltDump candidate;
  candidate.add(build(second));
  auto comparison = compareDumps(baseline, candidate, {});
  EXPECT_TRUE(comparison);
  return std::move(*comparison);
}

VerdictRules verdictRulesOf(const std::string& yaml) {
  auto rules = VerdictRules::parse(yaml, "rules.yaml");
  EXPECT_TRUE(rules) << rules.error().message();
  return std::move(*rules);
}

TEST(VerdictRulesTest, ATensorThatBreaksARuleIsNamedWithItsValue) {
  const VerdictRules rules =
      verdictRulesOf("rules:\n  - {metric: rms_rel, comparison: '<=', value: 0.1}\n");
  const RuleOutcome outcome = *applyRules(rules, comparisonOf(5));
  ASSERT_THAT(outcome.failures, SizeIs(1));
  EXPECT_EQ(outcome.failures[0].row, "model.layers.0.mlp");
  EXPECT_DOUBLE_EQ(outcome.failures[0].value, 0.2);
  EXPECT_THAT(outcome.checked, ElementsAre(2));
  EXPECT_TRUE(outcome.hasErrors(rules));
  EXPECT_EQ(describe(rules.all()[0]), "rms_rel at most 0.1");
}

TEST(VerdictRulesTest, AWarningIsNoError) {
  const VerdictRules rules = verdictRulesOf(
      "rules:\n  - {metric: rms_rel, comparison: '<', value: 0.1, severity: warning}\n");
  const RuleOutcome outcome = *applyRules(rules, comparisonOf(5));
  EXPECT_THAT(outcome.failures, SizeIs(1));
  EXPECT_FALSE(outcome.hasErrors(rules));
}

TEST(VerdictRulesTest, ARuleIsAboutWhatItMatches) {
  const RuleOutcome outcome = *applyRules(
      verdictRulesOf("rules:\n"
                     "  - {match: 'norm$', metric: rms_rel, comparison: '<=', value: 0.1}\n"
                     "  - {pass: backward, metric: rms_rel, comparison: '<=', value: 0.1}\n"
                     "  - {dtype: bfloat16, metric: rms_rel, comparison: '<=', value: 0.1}\n"
                     "  - {dtype: float32, metric: rms_rel, comparison: '<=', value: 0.1}\n"),
      comparisonOf(5));
  EXPECT_THAT(outcome.checked, ElementsAre(1, 0, 0, 2));
  EXPECT_THAT(outcome.failures, SizeIs(1));
}

TEST(VerdictRulesTest, AnExpressionThatTakesTooManyStepsIsAnError) {
  auto comparison = comparisonOf(5);
  comparison.units[0].run.comparisons[0].site.name = std::string(60, 'a') + "!";
  for (const char* const metric : {"rms_rel", "present"}) {
    comparison.units[0].onlyBaseline = {{std::string(60, 'a') + "!"}};
    const auto outcome =
        applyRules(verdictRulesOf(std::string("rules:\n  - {match: '^(a+)+$', metric: ") + metric +
                                  ", comparison: '<=', value: 0.1}\n"),
                   comparison);
    ASSERT_FALSE(outcome) << metric;
    EXPECT_EQ(outcome.error().code(), ErrorCode::Unsupported);
    EXPECT_THAT(outcome.error().message(), testing::HasSubstr("'^(a+)+$'"));
  }
}

TEST(VerdictRulesTest, AMetricThatATensorDoesNotHaveIsNeitherHeldNorFailed) {
  const RuleOutcome outcome =
      *applyRules(verdictRulesOf("rules:\n  - {metric: kl.max, comparison: '<', value: 0.005}\n"),
                  comparisonOf(5));
  EXPECT_THAT(outcome.checked, ElementsAre(2));
  EXPECT_THAT(outcome.undefined, ElementsAre(2));
  EXPECT_THAT(outcome.failures, IsEmpty());
}

TEST(VerdictRulesTest, NumbersThatStoppedBeingFiniteAreCounted) {
  const RuleOutcome outcome =
      *applyRules(verdictRulesOf("rules:\n  - {metric: non_finite, comparison: '<=', value: 0}\n"),
                  comparisonOf(std::numeric_limits<float>::quiet_NaN()));
  ASSERT_THAT(outcome.failures, SizeIs(1));
  EXPECT_EQ(outcome.failures[0].value, 1);
}

TEST(VerdictRulesTest, RowsOfOneSideAloneBreakTheRuleThatAllArePresent) {
  auto comparison = comparisonOf(4);
  comparison.units[0].onlyBaseline = {{"model.layers.7.mlp"}};
  const RuleOutcome outcome = *applyRules(
      verdictRulesOf("rules:\n  - {metric: present, comparison: '<=', value: 0}\n"), comparison);
  ASSERT_THAT(outcome.failures, SizeIs(1));
  EXPECT_EQ(outcome.failures[0].row, "model.layers.7.mlp");
}

TEST(VerdictRulesTest, RowsThatWereNotComparedAreAskedInTheirOwnPass) {
  const auto build = [](bool hasGradient, std::size_t size) {
    auto unit = std::make_shared<test::BuiltUnit>();
    unit->module("model.norm");
    unit->tensor(Role::Output, "0", {1, 2});
    unit->entry({.name = "model.norm.backward",
                 .kind = dumps::EntryKind::Module,
                 .pass = Pass::Backward,
                 .module = "model.norm",
                 .operation = "Module"});
    unit->tensor(Role::InputGradient, "0", std::vector<float>(size, 1));
    unit->tensor(Role::OutputGradient, "0", {1, 2});
    if (hasGradient) {
      unit->tensor(Role::InputGradient, "1", {1, 2});
      unit->entry({.name = "model.norm.parameter_gradient",
                   .kind = dumps::EntryKind::Gradient,
                   .pass = Pass::ParameterGradient,
                   .module = "model.norm"});
      unit->tensor(Role::ParameterGradient, "weight", {1, 2});
    }
    return unit;
  };
  test::BuiltDump baseline;
  baseline.add(build(true, 3));
  test::BuiltDump candidate;
  candidate.add(build(false, 2));
  const auto comparison = compareDumps(baseline, candidate, {});
  ASSERT_TRUE(comparison);
  const auto failuresOf = [&](const std::string& metric, const std::string& pass) {
    const auto outcome =
        applyRules(verdictRulesOf("rules:\n  - {metric: " + metric +
                                  ", comparison: '<=', value: 0, pass: " + pass + "}\n"),
                   *comparison);
    std::string rows;
    for (const RuleFailure& failure : outcome->failures) {
      EXPECT_EQ(toString(failure.pass), pass);
      rows += failure.row + " ";
    }
    return rows;
  };
  EXPECT_EQ(failuresOf("present", "parameter_gradient"),
            "model.norm.parameter_gradient.parameter_gradient.weight ");
  EXPECT_EQ(failuresOf("present", "backward"), "model.norm.backward.input_gradient.1 ");
  EXPECT_EQ(failuresOf("shape", "backward"), "model.norm.backward.input_gradient.0 ");
  EXPECT_EQ(failuresOf("present", "forward") + failuresOf("shape", "forward"), "");
}

TEST(VerdictRulesTest, TensorsWithoutNumbersForTheRulesAboutThemAreNotJudged) {
  const auto build = [] {
    auto unit = std::make_shared<test::BuiltUnit>();
    for (const char* const name : {"with_elements", "with_statistics", "with_nothing", "equal"}) {
      unit->module(name);
      if (std::string(name) == "with_statistics") {
        unit->recorded(Role::Output, "0", {1, 2});
      } else if (std::string(name) == "with_elements") {
        unit->tensor(Role::Output, "0", {1, 2});
      } else {
        unit->checksum(Role::Output, "0", std::string(name) == "equal" ? "1f" : "");
      }
    }
    return unit;
  };
  test::BuiltDump baseline;
  baseline.checksumKind = "crc32";
  baseline.add(build());
  test::BuiltDump candidate;
  candidate.checksumKind = "crc32";
  candidate.add(build());
  const auto comparison = compareDumps(baseline, candidate, {});
  ASSERT_TRUE(comparison);
  ASSERT_THAT(comparison->units[0].notCompared, SizeIs(1));
  EXPECT_EQ(comparison->units[0].notCompared[0].name, "with_nothing");
  const auto unjudgedBy = [&](const std::string& rule) {
    std::string names;
    const auto outcome = applyRules(
        verdictRulesOf("rules:\n  - {metric: non_finite, comparison: '<=', value: 0}\n  - {" +
                       rule + ", comparison: '<=', value: 0.1}\n"),
        *comparison);
    for (const UnjudgedRow& row : outcome->unjudged) {
      names += row.row + " ";
    }
    return names;
  };
  EXPECT_EQ(unjudgedBy("metric: rms_rel"), "with_statistics with_nothing ");
  EXPECT_EQ(unjudgedBy("metric: stat.norm_rel"), "with_nothing ");
  EXPECT_EQ(unjudgedBy("metric: rms_rel, match: elements"), "");
  EXPECT_EQ(unjudgedBy("metric: rms_rel, dtype: float64"), "with_nothing ");
  EXPECT_EQ(unjudgedBy("metric: shape"), "");
}

TEST(VerdictRulesTest, EveryPresetReadsAndPassesOnEqualDumps) {
  ASSERT_THAT(VerdictRules::presetNames(), ElementsAre("fast_llm", "msit", "msprobe", "sglang"));
  for (const std::string& name : VerdictRules::presetNames()) {
    const auto rules = VerdictRules::preset(name);
    ASSERT_TRUE(rules) << rules.error().message();
    EXPECT_THAT(applyRules(*rules, comparisonOf(4))->failures, IsEmpty()) << name;
    EXPECT_TRUE(applyRules(*rules, comparisonOf(9))->hasErrors(*rules)) << name;
  }
  const auto unknown = VerdictRules::preset("mspobe");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message(), HasSubstr("fast_llm, msit, msprobe, sglang"));
}

/// A number of one tensor, and what a preset says of it.
struct Limit {
  std::string preset;
  std::string metric;
  double value = 0;
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::string dtype = "float32";  ///< of the candidate
};

// NOLINTNEXTLINE(readability-identifier-naming): the name that GoogleTest looks for
void PrintTo(const Limit& limit, std::ostream* out) {
  *out << limit.preset << ", " << limit.metric << " " << limit.value << ", " << limit.dtype;
}

double below(double limit) {
  return std::nextafter(limit, -1.0);
}
double above(double limit) {
  return std::nextafter(limit, 2.0);
}

class LimitsOfPresets : public testing::TestWithParam<Limit> {};

TEST_P(LimitsOfPresets, AreThoseOfTheTool) {
  const Limit& limit = GetParam();
  const auto rules = VerdictRules::preset(limit.preset);
  ASSERT_TRUE(rules) << rules.error().message();
  auto comparison = comparisonOf(4);
  report::Comparison& row = comparison.units[0].run.comparisons[0];
  row.variantDType = limit.dtype;
  row.metrics[*numerics::builtinMetrics().indexOf(limit.metric)] = limit.value;
  std::size_t errors = 0;
  std::size_t warnings = 0;
  const RuleOutcome outcome = *applyRules(*rules, comparison);
  for (const RuleFailure& failure : outcome.failures) {
    const VerdictRule& rule = rules->all()[failure.rule];
    EXPECT_EQ(rule.metric, limit.metric);
    EXPECT_EQ(failure.row, row.site.name);
    EXPECT_EQ(failure.value, limit.value);
    ++(rule.severity == RuleSeverity::Error ? errors : warnings);
  }
  EXPECT_EQ(errors, limit.errors);
  EXPECT_EQ(warnings, limit.warnings);
}

std::string nameOfLimit(const testing::TestParamInfo<Limit>& info) {
  std::string metric = info.param.metric;
  std::replace(metric.begin(), metric.end(), '.', '_');
  return std::to_string(info.index) + "_" + metric + "_" + info.param.dtype;
}

INSTANTIATE_TEST_SUITE_P(Msit,
                         LimitsOfPresets,
                         testing::Values(Limit{"msit", "cosine", above(0.999), 0},
                                         Limit{"msit", "cosine", 0.999, 1},
                                         Limit{"msit", "kl.max", below(0.005), 0, 0, "bfloat16"},
                                         Limit{"msit", "kl.max", 0.005, 1, 0, "bfloat16"},
                                         Limit{"msit", "kl.max", below(0.0001), 0, 0, "float16"},
                                         Limit{"msit", "kl.max", 0.0001, 1, 0, "float16"},
                                         Limit{"msit", "kl.max", 1, 0, 0, "float32"}),
                         nameOfLimit);
INSTANTIATE_TEST_SUITE_P(Msprobe,
                         LimitsOfPresets,
                         testing::Values(Limit{"msprobe", "cosine", below(0.9), 1, 1},
                                         Limit{"msprobe", "cosine", 0.9, 0, 1},
                                         Limit{"msprobe", "cosine", below(0.99), 0, 1},
                                         Limit{"msprobe", "cosine", 0.99, 0, 0},
                                         Limit{"msprobe", "max_diff", above(1), 1, 1},
                                         Limit{"msprobe", "max_diff", 1, 0, 1},
                                         Limit{"msprobe", "max_diff", above(0.001), 0, 1},
                                         Limit{"msprobe", "max_diff", 0.001, 0, 0},
                                         Limit{"msprobe", "within.thousandth", below(0.6), 0, 1},
                                         Limit{"msprobe", "within.thousandth", 0.6, 0, 0},
                                         Limit{"msprobe", "stat.norm_rel", above(0.5), 1, 1},
                                         Limit{"msprobe", "stat.norm_rel", 0.5, 0, 1},
                                         Limit{"msprobe", "stat.norm_rel", above(0.1), 0, 1},
                                         Limit{"msprobe", "stat.norm_rel", 0.1, 0, 0},
                                         Limit{"msprobe", "checksum_equal", 0, 1, 0},
                                         Limit{"msprobe", "checksum_equal", 1, 0, 0}),
                         nameOfLimit);
INSTANTIATE_TEST_SUITE_P(Sglang,
                         LimitsOfPresets,
                         testing::Values(Limit{"sglang", "symmetric_diff", 0.001, 0},
                                         Limit{"sglang", "symmetric_diff", above(0.001), 1}),
                         nameOfLimit);
INSTANTIATE_TEST_SUITE_P(FastLlm,
                         LimitsOfPresets,
                         testing::Values(Limit{"fast_llm", "rms_rel_regularized", 0.003, 0},
                                         Limit{"fast_llm", "rms_rel_regularized", above(0.003), 1},
                                         Limit{"fast_llm", "rms_diff", 0.0005, 0},
                                         Limit{"fast_llm", "rms_diff", above(0.0005), 1},
                                         Limit{"fast_llm", "max_rel_regularized", 0.015, 0},
                                         Limit{"fast_llm", "max_rel_regularized", above(0.015), 1},
                                         Limit{"fast_llm", "max_diff", 0.005, 0},
                                         Limit{"fast_llm", "max_diff", above(0.005), 1}),
                         nameOfLimit);

/// Errors and warnings.
std::pair<std::size_t, std::size_t> foundBy(const std::string& preset,
                                            const DumpComparison& comparison) {
  const auto rules = VerdictRules::preset(preset);
  EXPECT_TRUE(rules) << rules.error().message();
  std::pair<std::size_t, std::size_t> found;
  const RuleOutcome outcome = *applyRules(*rules, comparison);
  for (const RuleFailure& failure : outcome.failures) {
    const bool isError = rules->all()[failure.rule].severity == RuleSeverity::Error;
    ++(isError ? found.first : found.second);
  }
  return found;
}

TEST(VerdictRulesTest, PresetsAskForShapesRowsAndFiniteNumbersAsTheirToolsDo) {
  auto shapes = comparisonOf(4);
  shapes.units[0].shapesDiffer = {{"model.layers.7.mlp"}};
  auto missing = comparisonOf(4);
  missing.units[0].onlyCandidate = {{"model.layers.7.mlp"}};
  auto broken = comparisonOf(4);
  broken.units[0].run.comparisons[0].variantNonFinite.nan = 2;
  auto alike = broken;
  alike.units[0].run.comparisons[0].referenceNonFinite.nan = 2;
  auto otherKind = broken;
  otherKind.units[0].run.comparisons[0].referenceNonFinite.positiveInfinity = 2;
  const std::pair<std::size_t, std::size_t> nothing{0, 0};
  const std::pair<std::size_t, std::size_t> error{1, 0};
  const std::pair<std::size_t, std::size_t> warning{0, 1};
  for (const std::string& preset : VerdictRules::presetNames()) {
    EXPECT_EQ(foundBy(preset, shapes), error) << preset;
    EXPECT_EQ(foundBy(preset, broken), error) << preset;
    EXPECT_EQ(foundBy(preset, alike), nothing) << preset;
    EXPECT_EQ(foundBy(preset, otherKind), error) << preset;
    EXPECT_EQ(foundBy(preset, missing),
              preset == "fast_llm"  ? error
              : preset == "msprobe" ? warning
                                    : nothing)
        << preset;
  }
}

TEST(VerdictRulesTest, AllcloseAsksTheElementsWhereTheWorstDoNotTell) {
  const VerdictRules loose = verdictRulesOf("rules:\n  - {metric: allclose, rtol: 0.3, atol: 0}\n");
  const DumpComparison comparison = comparisonOf(5);
  const RuleOutcome open = *applyRules(loose, comparison);
  EXPECT_THAT(open.failures, IsEmpty());
  EXPECT_THAT(open.undefined, ElementsAre(1));
  EXPECT_TRUE(open.isUndecided(loose));
  const auto read = [](std::size_t, const report::Comparison&) {
    return test::floatPair({2}, {3, 4}, {3, 5});
  };
  const RuleOutcome decided = *applyRules(loose, comparison, read);
  EXPECT_THAT(decided.failures, IsEmpty());
  EXPECT_THAT(decided.undefined, ElementsAre(0));
  const VerdictRules strict =
      verdictRulesOf("rules:\n  - {metric: allclose, rtol: 0.2, atol: 0.1}\n");
  const RuleOutcome failed = *applyRules(strict, comparison);
  ASSERT_THAT(failed.failures, SizeIs(1));
  EXPECT_DOUBLE_EQ(failed.failures[0].value, 1 - 0.2 * 4);
  EXPECT_EQ(describe(strict.all()[0]), "allclose, rtol 0.2, atol 0.1");
}

struct BadRules {
  std::string name;
  std::string yaml;
  std::string message;
};

class RefusedRules : public testing::TestWithParam<BadRules> {};

TEST_P(RefusedRules, NameThePlaceAndTheRemedy) {
  const auto rules = VerdictRules::parse(GetParam().yaml, "rules.yaml");
  ASSERT_FALSE(rules);
  EXPECT_EQ(rules.error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(rules.error().message(), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Files,
    RefusedRules,
    testing::Values(
        BadRules{"no_rules", "- a", "rules.yaml:1:1: a file of rules holds 'rules', a list"},
        BadRules{"unknown_metric",
                 "rules:\n  - {metric: cosin, comparison: '<', value: 1}",
                 "rules.yaml:2:14: unknown metric 'cosin'; did you mean 'cosine'?"},
        BadRules{"unknown_key",
                 "rules:\n  - {metrik: cosine}",
                 "rules.yaml:2:6: unknown key 'metrik'; did you mean 'metric'?"},
        BadRules{"unknown_comparison",
                 "rules:\n  - {metric: cosine, comparison: '=', value: 1}",
                 "rules.yaml:2:34: 'comparison' is one of '<=', '<', '>=', '>'"},
        BadRules{"no_number",
                 "rules:\n  - {metric: cosine, comparison: '<', value: much}",
                 "rules.yaml:2:46: 'much' is not a number"},
        BadRules{"allclose_with_a_value",
                 "rules:\n  - {metric: allclose, comparison: '<', value: 1}",
                 "rules.yaml:2:5: 'allclose' has 'rtol' and 'atol', no 'comparison' and 'value'"},
        BadRules{"negative_tolerance",
                 "rules:\n  - {metric: allclose, rtol: -1}",
                 "rules.yaml:2:30: '-1' is not a number of at least 0"},
        BadRules{"tolerance_of_another_metric",
                 "rules:\n  - {metric: cosine, comparison: '<', value: 1, atol: 1}",
                 "rules.yaml:2:5: 'rtol' and 'atol' are of the metric 'allclose'"},
        BadRules{"no_value",
                 "rules:\n  - {metric: cosine, comparison: '<'}",
                 "rules.yaml:2:5: a rule needs 'metric', 'comparison' and 'value'"}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace ulp::analysis
