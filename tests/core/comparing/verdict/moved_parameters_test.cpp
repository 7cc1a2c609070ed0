#include <memory>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/verdict/dump_comparison.h"
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

}  // namespace
}  // namespace ulp::analysis
