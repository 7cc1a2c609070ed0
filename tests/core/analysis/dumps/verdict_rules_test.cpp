#include "core/analysis/dumps/verdict_rules.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/dump_builder.h"

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

VerdictRules rulesOf(const std::string& yaml) {
  auto rules = VerdictRules::parse(yaml, "rules.yaml");
  EXPECT_TRUE(rules) << rules.error().message();
  return std::move(*rules);
}

TEST(VerdictRulesTest, ATensorThatBreaksARuleIsNamedWithItsValue) {
  const VerdictRules rules =
      rulesOf("rules:\n  - {metric: rms_rel, comparison: '<=', value: 0.1}\n");
  const RuleOutcome outcome = applyRules(rules, comparisonOf(5));
  ASSERT_THAT(outcome.failures, SizeIs(1));
  EXPECT_EQ(outcome.failures[0].row, "model.layers.0.mlp");
  EXPECT_DOUBLE_EQ(outcome.failures[0].value, 0.2);
  EXPECT_THAT(outcome.checked, ElementsAre(2));
  EXPECT_TRUE(outcome.hasErrors(rules));
  EXPECT_EQ(describe(rules.all()[0]), "rms_rel at most 0.1");
}

TEST(VerdictRulesTest, AWarningIsNoError) {
  const VerdictRules rules =
      rulesOf("rules:\n  - {metric: rms_rel, comparison: '<', value: 0.1, severity: warning}\n");
  const RuleOutcome outcome = applyRules(rules, comparisonOf(5));
  EXPECT_THAT(outcome.failures, SizeIs(1));
  EXPECT_FALSE(outcome.hasErrors(rules));
}

TEST(VerdictRulesTest, ARuleIsAboutWhatItMatches) {
  const RuleOutcome outcome =
      applyRules(rulesOf("rules:\n"
                         "  - {match: 'norm$', metric: rms_rel, comparison: '<=', value: 0.1}\n"
                         "  - {pass: backward, metric: rms_rel, comparison: '<=', value: 0.1}\n"
                         "  - {dtype: bfloat16, metric: rms_rel, comparison: '<=', value: 0.1}\n"
                         "  - {dtype: float32, metric: rms_rel, comparison: '<=', value: 0.1}\n"),
                 comparisonOf(5));
  EXPECT_THAT(outcome.checked, ElementsAre(1, 0, 0, 2));
  EXPECT_THAT(outcome.failures, SizeIs(1));
}

TEST(VerdictRulesTest, AMetricThatATensorDoesNotHaveIsNeitherHeldNorFailed) {
  const RuleOutcome outcome = applyRules(
      rulesOf("rules:\n  - {metric: kl.max, comparison: '<', value: 0.005}\n"), comparisonOf(5));
  EXPECT_THAT(outcome.checked, ElementsAre(2));
  EXPECT_THAT(outcome.undefined, ElementsAre(2));
  EXPECT_THAT(outcome.failures, IsEmpty());
}

TEST(VerdictRulesTest, NumbersThatStoppedBeingFiniteAreCounted) {
  const RuleOutcome outcome =
      applyRules(rulesOf("rules:\n  - {metric: non_finite, comparison: '<=', value: 0}\n"),
                 comparisonOf(std::numeric_limits<float>::quiet_NaN()));
  ASSERT_THAT(outcome.failures, SizeIs(1));
  EXPECT_EQ(outcome.failures[0].value, 1);
}

TEST(VerdictRulesTest, RowsOfOneSideAloneBreakTheRuleThatAllArePresent) {
  auto comparison = comparisonOf(4);
  comparison.units[0].onlyBaseline = {"model.layers.7.mlp"};
  const RuleOutcome outcome = applyRules(
      rulesOf("rules:\n  - {metric: present, comparison: '<=', value: 0}\n"), comparison);
  ASSERT_THAT(outcome.failures, SizeIs(1));
  EXPECT_EQ(outcome.failures[0].row, "model.layers.7.mlp");
}

TEST(VerdictRulesTest, EveryPresetReadsAndPassesOnEqualDumps) {
  ASSERT_THAT(VerdictRules::presetNames(), ElementsAre("fast_llm", "msit", "msprobe", "sglang"));
  for (const std::string& name : VerdictRules::presetNames()) {
    const auto rules = VerdictRules::preset(name);
    ASSERT_TRUE(rules) << rules.error().message();
    EXPECT_THAT(applyRules(*rules, comparisonOf(4)).failures, IsEmpty()) << name;
    EXPECT_TRUE(applyRules(*rules, comparisonOf(9)).hasErrors(*rules)) << name;
  }
  const auto unknown = VerdictRules::preset("mspobe");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message(), HasSubstr("fast_llm, msit, msprobe, sglang"));
}

struct BadRules {
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
    testing::Values(BadRules{"- a", "rules.yaml:1:1: a file of rules holds 'rules', a list"},
                    BadRules{"rules:\n  - {metric: cosin, comparison: '<', value: 1}",
                             "rules.yaml:2:14: unknown metric 'cosin'; did you mean 'cosine'?"},
                    BadRules{"rules:\n  - {metrik: cosine}",
                             "rules.yaml:2:6: unknown key 'metrik'; did you mean 'metric'?"},
                    BadRules{"rules:\n  - {metric: cosine, comparison: '=', value: 1}",
                             "rules.yaml:2:34: 'comparison' is one of '<=', '<', '>=', '>'"},
                    BadRules{"rules:\n  - {metric: cosine, comparison: '<', value: much}",
                             "rules.yaml:2:46: 'much' is not a number"},
                    BadRules{"rules:\n  - {metric: cosine, comparison: '<'}",
                             "rules.yaml:2:5: a rule needs 'metric', 'comparison' and 'value'"}));

}  // namespace
}  // namespace ulp::analysis
