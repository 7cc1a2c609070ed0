#include <memory>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/verdict/dump_comparison.h"
#include "core/comparing/verdict/dump_findings.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltDump;
using test::BuiltUnit;
using testing::IsEmpty;

/// Two steps of a module without recorded parameters and a function that reads one. `moved` is how
/// far both are off in the second step, `gradient` the gradient in the first.
DumpComparison trainedBy(double gradient, double moved) {
  const auto unitOf = [](double parameter, double gradient) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("emb", "Embedding");
    unit->recorded(Role::Output, "0", {parameter, 2 * parameter});
    unit->api("Functional.linear", 0);
    unit->recorded(Role::Input, "0", {1, 3});
    unit->recorded(Role::Input, "1", {parameter, 3 * parameter});
    unit->entry({.name = "emb.parameter_gradient",
                 .kind = dumps::EntryKind::Gradient,
                 .pass = Pass::ParameterGradient,
                 .module = "emb"});
    unit->recorded(Role::ParameterGradient, "weight", {gradient, -gradient});
    return unit;
  };
  BuiltDump baseline;
  BuiltDump candidate;
  baseline.add(unitOf(1, 1), {.step = 0});
  baseline.add(unitOf(1, 1), {.step = 1});
  candidate.add(unitOf(1, gradient), {.step = 0});
  candidate.add(unitOf(moved, gradient), {.step = 1});
  // As far as a format of few digits is off, 0.6 %.
  const auto comparison = compareDumps(baseline, candidate, {}, {.madeRoundOffs = 1e5});
  EXPECT_TRUE(comparison) << comparison.error().message();
  return *comparison;
}

TEST(MovedParametersTest, ParametersThatAStepBeforeMovedAreNoOrigin) {
  const DumpComparison moved = trainedBy(1.005, 1.01);
  EXPECT_EQ(moved.earliest, std::nullopt);
  EXPECT_TRUE(moved.units[1].verdict.hasMoved);
  EXPECT_THAT(
      textsOf(moved.units[1].notes),
      testing::ElementsAre("parameters have moved since step 0, where gradients differ by 0.50 %"));
  EXPECT_FALSE(moved.units[0].verdict.hasMoved);

  const DumpComparison broken = trainedBy(test::kNan, test::kNan);
  EXPECT_EQ(broken.earliest, 0U);
  EXPECT_THAT(broken.units[1].verdict.culprits, IsEmpty());
  EXPECT_THAT(textsOf(broken.units[1].notes),
              testing::ElementsAre(
                  "parameters have moved since step 0, where gradients hold NaN or infinity"));
}

TEST(MovedParametersTest, ParametersThatNoGradientMovedAreTheOrigin) {
  for (const double gradient : {1.0, 1.0001}) {
    const DumpComparison comparison = trainedBy(gradient, 1.01);
    EXPECT_EQ(comparison.earliest, 1U) << gradient;
    EXPECT_EQ(comparison.units[1].verdict.culprits.front().name, "Module.emb.Embedding.forward.0");
    EXPECT_FALSE(comparison.units[1].verdict.hasMoved);
    EXPECT_THAT(comparison.units[1].notes, IsEmpty());
  }
}

/// Two steps of a projection whose bias has a gradient, and is, `gradient` and `moved` times that
/// of the baseline; that of the weight is a little off.
DumpComparison biasMovedBy(double gradient, double moved) {
  const auto unitOf = [](double weightGradient, double biasGradient, double bias) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("k_proj", "Linear");
    unit->recorded(Role::Parameter, "weight", {1, 3});
    unit->recorded(Role::Parameter, "bias", {bias, -bias});
    unit->entry({.name = "k_proj.parameter_gradient",
                 .kind = dumps::EntryKind::Gradient,
                 .pass = Pass::ParameterGradient,
                 .module = "k_proj"});
    unit->recorded(Role::ParameterGradient, "weight", {weightGradient, 2});
    unit->recorded(Role::ParameterGradient, "bias", {biasGradient, -biasGradient});
    return unit;
  };
  BuiltDump baseline;
  BuiltDump candidate;
  baseline.add(unitOf(1, 1e-12, 1e-6), {.step = 0});
  baseline.add(unitOf(1, 1e-12, 1e-6), {.step = 1});
  candidate.add(unitOf(1.000001, gradient * 1e-12, 1e-6), {.step = 0});
  candidate.add(unitOf(1, 1e-12, moved * 1e-6), {.step = 1});
  const auto comparison = compareDumps(baseline, candidate, {});
  EXPECT_TRUE(comparison) << comparison.error().message();
  return *comparison;
}

TEST(MovedParametersTest, AnOptimizerMakesOfNoiseWhatIsFarOff) {
  // A key bias: its gradient cancels to noise, of which Adam makes steps of full size.
  EXPECT_EQ(biasMovedBy(2.4e4, 54).earliest, std::nullopt);
  EXPECT_TRUE(biasMovedBy(2.4e4, 54).units[1].verdict.hasMoved);
  EXPECT_EQ(biasMovedBy(2.4e4, 2e3).earliest, 1U) << "8 times the square root is 1239";
  EXPECT_EQ(biasMovedBy(1, 54).earliest, 1U) << "its own gradient agrees";
}

TEST(MovedParametersTest, TheFirstDifferenceIsNotPutDownToOtherNumbers) {
  const DumpComparison moved = trainedBy(1.005, 1.01);
  ASSERT_TRUE(moved.units[1].repeatability.first);
  EXPECT_TRUE(moved.units[1].repeatability.first->isMoved);
  EXPECT_EQ(moved.units[1].repeatability.first->kind, CulpritKind::Gap);
  EXPECT_THAT(moved.units[1].repeatability.suspects, IsEmpty());
  const DumpComparison given = trainedBy(1, 1.01);
  EXPECT_FALSE(given.units[1].repeatability.first->isMoved);
}

/// Two steps of a head over three positions, whose weight the first one has moved, or not.
DumpComparison tokensMovedBy(float gradient) {
  const auto unitOf = [](float gradient, float scale) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("embed_tokens", "Embedding");
    unit->tensor(Role::Input, "0", {3, 1, 2});
    unit->tensor(Role::Output, "0", {1, 2, 3, 4, 5, 6});
    unit->shape({3, 2});
    unit->module("lm_head", "Linear");
    unit->tensor(Role::Input, "0", {1, 2, 3, 4, 5, 6});
    unit->shape({3, 2});
    unit->tensor(Role::Output, "0", {1, 2 * scale, 3, 4, 5, 6 * scale});
    unit->shape({3, 2});
    unit->entry({.name = "lm_head.parameter_gradient",
                 .kind = dumps::EntryKind::Gradient,
                 .pass = Pass::ParameterGradient,
                 .module = "lm_head"});
    unit->tensor(Role::ParameterGradient, "weight", {gradient, 1});
    return unit;
  };
  BuiltDump baseline;
  BuiltDump candidate;
  baseline.add(unitOf(1, 1), {.step = 0});
  baseline.add(unitOf(1, 1), {.step = 1});
  candidate.add(unitOf(gradient, 1), {.step = 0});
  candidate.add(unitOf(1, 1.01F), {.step = 1});
  // What the first step's gradients are off is of no interest here.
  const auto comparison = compareDumps(baseline, candidate, {}, {.madeRoundOffs = 1e5});
  EXPECT_TRUE(comparison) << comparison.error().message();
  return *comparison;
}

TEST(MovedParametersTest, ATokenIsJudgedByTheSameRule) {
  const DumpComparison moved = tokensMovedBy(1.005F);
  ASSERT_TRUE(moved.units[1].tokenOrigin && moved.units[1].tokenOrigin->isOwn());
  EXPECT_THAT(moved.units[1].tokenOrigin->verdict.culprits, IsEmpty());
  EXPECT_THAT(tokenAnswer(moved),
              testing::HasSubstr("puts it down to parameters that steps before have moved"));
  const DumpComparison given = tokensMovedBy(1);
  ASSERT_TRUE(given.units[1].tokenOrigin);
  EXPECT_EQ(given.units[1].tokenOrigin->verdict.culprits.front().name,
            "Module.lm_head.Linear.forward.0");
}

}  // namespace
}  // namespace ulp::analysis
