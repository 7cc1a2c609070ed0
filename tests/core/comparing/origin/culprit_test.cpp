#include "core/comparing/origin/culprit.h"

#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/origin/repeatability.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::analysis {
namespace {

using dumps::EntryKind;
using dumps::Role;
using test::BuiltUnit;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

using test::kNan;

/// A layer of three linear calls, each of which scales what it reads by its weight: h -> a -> b ->
/// c.
struct Chain {
  double input = 1;
  double weights[3] = {2, 3, 5};  // NOLINT(*-avoid-c-arrays)
  double after[3] = {1, 1, 1};    // NOLINT(*-avoid-c-arrays): factors of the outputs
  double between = 1;             ///< factor between the second call and the third
  std::string dtype = "torch.float32";
  bool isChecksum = false;
  std::int64_t step = 0;

  [[nodiscard]] std::shared_ptr<BuiltUnit> unit() const {
    auto built = std::make_shared<BuiltUnit>();
    built->axes.step = step;
    const std::size_t layer = built->module("model.layers.0", "Layer");
    double value = input;
    for (std::uint64_t i = 0; i < 3; ++i) {
      built->api("Functional.linear", i, layer);
      value *= i == 2 ? between : 1;
      add(*built, Role::Input, "0", value);
      add(*built, Role::Input, "1", weights[i]);
      value *= weights[i] * after[i];
      add(*built, Role::Output, "0", value);
    }
    return built;
  }

 private:
  void add(BuiltUnit& built, Role role, const std::string& index, double value) const {
    if (isChecksum) {
      built.checksum(role, index, std::to_string(value));
    } else {
      built.recorded(role, index, {value, -value / 2, value / 4});
    }
    built.rows.back().dtype = dtype;
  }
};

Verdict verdictOf(const Chain& baseline, const Chain& candidate) {
  auto compared =
      compareUnits(baseline.unit(), candidate.unit(), {.checksums = {"crc32", "crc32"}});
  EXPECT_TRUE(compared);
  return findCulprits(*compared);
}

TEST(CulpritTest, KindsAndSurenessHaveNamesOfTheirOwn) {
  EXPECT_EQ(toString(CulpritKind::Source), "source");
  EXPECT_EQ(toString(CulpritKind::Operation), "operation");
  EXPECT_EQ(toString(CulpritKind::Gap), "gap");
  EXPECT_EQ(toString(CulpritKind::Received), "received");
  EXPECT_EQ(toString(Sureness::Low), "low");
  EXPECT_EQ(toString(Sureness::Medium), "medium");
  EXPECT_EQ(toString(Sureness::High), "high");
}

TEST(CulpritTest, EqualRunsHaveNone) {
  const Verdict verdict = verdictOf({}, {});
  EXPECT_THAT(verdict.culprits, IsEmpty());
  EXPECT_EQ(verdict.comparedRows, 9U);
  EXPECT_EQ(verdict.equalRows, 9U);
}

TEST(CulpritTest, AWrongWeightIsTheSourceAndWhatFollowsIsNot) {
  const Verdict verdict = verdictOf({}, {.weights = {2, 3.15, 5}});
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  const Culprit& culprit = verdict.culprits.front();
  EXPECT_EQ(culprit.kind, CulpritKind::Source);
  EXPECT_EQ(culprit.name, "Functional.linear.1.forward");
  EXPECT_EQ(culprit.site.name, "Functional.linear.1[input.1]");
  EXPECT_EQ(culprit.sureness, Sureness::High);
  EXPECT_NEAR(culprit.error, 0.05, 1e-12);
  EXPECT_THAT(culprit.reason.text(), StartsWith("its parameter input.1 "));
}

TEST(CulpritTest, AParameterCarriesTheRoundingOfEarlierSteps) {
  const auto culpritsAt = [](std::int64_t step, double weight, const std::string& dtype) {
    return verdictOf({.dtype = dtype, .step = step},
                     {.weights = {2, 3 * weight, 5}, .dtype = dtype, .step = step})
        .culprits;
  };
  EXPECT_THAT(culpritsAt(0, 1.000001, "torch.float32"), SizeIs(1));
  EXPECT_THAT(culpritsAt(1, 1.000001, "torch.float32"), IsEmpty());
  EXPECT_THAT(culpritsAt(1, 1.00001, "torch.float32"), SizeIs(1));
  EXPECT_THAT(culpritsAt(1, 1.01, "torch.bfloat16"), SizeIs(1));
}

TEST(CulpritTest, AnOperationThatAddsErrorIsNamedWithWhatCameIn) {
  const Verdict verdict = verdictOf({}, {.after = {1, 1.001, 1}});
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_EQ(verdict.culprits[0].kind, CulpritKind::Operation);
  EXPECT_EQ(verdict.culprits[0].name, "Functional.linear.1.forward");
  EXPECT_EQ(verdict.culprits[0].carried, 0);
  EXPECT_EQ(verdict.culprits[0].sureness, Sureness::Medium)
      << "equal statistics of the inputs prove little";
}

TEST(CulpritTest, WhatHappensBetweenRecordedCallsIsAGap) {
  const Verdict verdict = verdictOf({}, {.between = 1.5});
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_EQ(verdict.culprits[0].kind, CulpritKind::Gap);
  EXPECT_EQ(verdict.culprits[0].name, "Functional.linear.2.forward");
  EXPECT_THAT(verdict.culprits[0].enclosing,
              testing::ElementsAre("Module.model.layers.0.Layer.forward.0"));
}

TEST(CulpritTest, AGapSaysHowFarWhatCameBeforeIsOff) {
  EXPECT_THAT(verdictOf({}, {.between = 1.5}).culprits[0].reason.text(),
              HasSubstr("while what was recorded before agrees: "));
  const Verdict verdict = verdictOf({}, {.after = {1.000002, 1, 1}, .between = 1.5});
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_EQ(verdict.culprits[0].kind, CulpritKind::Gap);
  EXPECT_NEAR(verdict.culprits[0].carried, 2e-6, 1e-12);
  EXPECT_THAT(verdict.culprits[0].reason.text(),
              HasSubstr("while what was recorded before differs by at most "));
}

TEST(CulpritTest, RoundingOfTheCoarserFormatIsNobodysFault) {
  const Chain rounded{
      .weights = {2.004, 2.995, 5.01}, .after = {1.002, 0.998, 1.003}, .dtype = "torch.bfloat16"};
  EXPECT_THAT(verdictOf({}, rounded).culprits, IsEmpty());
  const Chain exact{.weights = {2.004, 2.995, 5.01}, .after = {1.002, 0.998, 1.003}};
  EXPECT_THAT(verdictOf({}, exact).culprits, testing::Not(IsEmpty()))
      << "in float32 the same is no rounding";
}

TEST(CulpritTest, AWrongWeightIsFoundInABfloat16RunAsWell) {
  const Chain candidate{
      .weights = {2.004, 3.15, 5.01}, .after = {1.002, 0.998, 1.003}, .dtype = "torch.bfloat16"};
  const Verdict verdict = verdictOf({}, candidate);
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_EQ(verdict.culprits[0].site.name, "Functional.linear.1[input.1]");
}

TEST(CulpritTest, NanIsTracedToWhereItCameFrom) {
  const Verdict inWeight = verdictOf({}, {.weights = {2, kNan, 5}});
  ASSERT_THAT(inWeight.culprits, SizeIs(1));
  EXPECT_TRUE(inWeight.culprits[0].isBroken);
  EXPECT_EQ(inWeight.culprits[0].site.name, "Functional.linear.1[input.1]");
  const Verdict inOperation = verdictOf({}, {.after = {1, kNan, 1}});
  ASSERT_THAT(inOperation.culprits, SizeIs(1));
  EXPECT_EQ(inOperation.culprits[0].kind, CulpritKind::Operation);
  EXPECT_EQ(inOperation.culprits[0].name, "Functional.linear.1.forward");
  EXPECT_THAT(inOperation.culprits[0].reason.text(), HasSubstr("what it read is finite"));
}

TEST(CulpritTest, NanOfTheBaselineAloneIsTracedToWhereItEnds) {
  const Verdict verdict = verdictOf({.after = {1, kNan, 1}}, {});
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_TRUE(verdict.culprits[0].isBroken);
  EXPECT_EQ(verdict.culprits[0].name, "Functional.linear.1.forward");
  EXPECT_EQ(verdict.culprits[0].reason.text(),
            "output.0 holds numbers where the baseline has NaN or infinity, and what it read is "
            "finite where the baseline's is");
}

TEST(CulpritTest, ChecksumsTellTheOriginWithoutSayingHowMuch) {
  const Verdict verdict =
      verdictOf({.isChecksum = true}, {.weights = {2, 3.15, 5}, .isChecksum = true});
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_EQ(verdict.culprits[0].site.name, "Functional.linear.1[input.1]");
  EXPECT_TRUE(std::isnan(verdict.culprits[0].error));
}

TEST(CulpritTest, ANumberAmongTheArgumentsThatDiffersIsASource) {
  const auto build = [](const std::string& scale) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->api("Functional.scaled_dot_product_attention", 0);
    unit->recorded(Role::Input, "0", {1, 2});
    unit->value(Role::Input, "scale", scale);
    unit->recorded(Role::Output, "0", {scale == "0.125" ? 1.0 : 2.0, 2});
    return unit;
  };
  const auto compared = compareUnits(build("0.125"), build("0.25"), {});
  ASSERT_TRUE(compared);
  const Verdict verdict = findCulprits(*compared);
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_THAT(verdict.culprits[0].reason.text(), HasSubstr("is 0.25 instead of 0.125"));
}

TEST(CulpritTest, GradientsThatStandBesideTheForwardCallAreJudgedAfterIt) {
  const auto build = [](double gradient, double output) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->entry({.name = "Module.a.Linear.parameters_grad",
                 .kind = EntryKind::Gradient,
                 .pass = Pass::ParameterGradient,
                 .module = "a"});
    unit->recorded(Role::ParameterGradient, "weight", {gradient, 1});
    unit->module("b", "Linear");
    unit->recorded(Role::Input, "0", {1, 2});
    unit->recorded(Role::Output, "0", {output, 2});
    return unit;
  };
  const auto compared = compareUnits(build(1, 1), build(3, 4), {});
  ASSERT_TRUE(compared);
  const Verdict verdict = findCulprits(*compared);
  ASSERT_FALSE(verdict.culprits.empty());
  EXPECT_EQ(verdict.culprits[0].site.module, "b") << "the forward pass comes first";
}

TEST(CulpritTest, GradientsOfACallThatRanAgainFollowFromItsFirstRun) {
  const auto build = [](double error, bool isAgain) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->stacks = {{"File /lib/torch/utils/checkpoint.py, line 1, in recompute_fn, \n f()"}};
    const auto forward = [&](std::uint64_t call, std::size_t stack) {
      unit->module("m", "Layer");
      unit->entries.back().call = call;
      unit->entries.back().stack = stack;
      unit->recorded(Role::Input, "0", {1 + error, 2 + 2 * error});
      unit->recorded(Role::Output, "0", {3 + 3 * error, 4 + 4 * error});
    };
    forward(0, dumps::kNone);
    if (isAgain) {
      forward(1, 0);
    }
    unit->entry({.name = "Module.m.Layer.backward",
                 .kind = EntryKind::Module,
                 .pass = Pass::Backward,
                 .module = "m",
                 .operation = "Layer",
                 .call = isAgain ? 1U : 0U});
    unit->recorded(Role::OutputGradient, "0", {5, 6});
    unit->recorded(Role::InputGradient, "0", {7 + 140 * error, 8 + 160 * error});
    return unit;
  };
  const auto compared = compareUnits(build(0, true), build(0.01, false), {});
  ASSERT_TRUE(compared);
  const Verdict verdict = findCulprits(*compared);
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_EQ(verdict.culprits[0].rowName, "Module.m.Layer.forward.0.input.0");
}

TEST(CulpritTest, CallsThatOneSideLacksBesideTheCulpritAreNamed) {
  const auto build = [](bool hasResidual) {
    auto unit = std::make_shared<BuiltUnit>();
    const std::size_t layer = unit->module("model.layers.0", "Layer");
    unit->api("Functional.linear", 0, layer);
    unit->recorded(Role::Input, "0", {1, 2});
    unit->recorded(Role::Output, "0", {3, 4});
    if (hasResidual) {
      unit->api("Tensor.__add__", 0, layer);
      unit->recorded(Role::Input, "0", {3, 4});
      unit->recorded(Role::Input, "1", {1, 2});
      unit->recorded(Role::Output, "0", {4, 6});
    }
    unit->api("Functional.silu", 0, layer);
    unit->recorded(
        Role::Input, "0", hasResidual ? std::vector<double>{4, 6} : std::vector<double>{3, 4});
    unit->recorded(
        Role::Output, "0", hasResidual ? std::vector<double>{4, 5} : std::vector<double>{2, 3});
    return unit;
  };
  const auto compared = compareUnits(build(true), build(false), {});
  ASSERT_TRUE(compared);
  const Verdict verdict = findCulprits(*compared);
  ASSERT_FALSE(verdict.culprits.empty());
  EXPECT_EQ(verdict.culprits[0].name, "Functional.silu.0.forward");
  EXPECT_THAT(verdict.culprits[0].structure,
              HasSubstr("the candidate lacks Tensor.__add__.0.forward"));
}

TEST(CulpritTest, AModuleDoesNotMakeWhatTheCallsInsideItMade) {
  const auto build = [](double weight) {
    auto unit = std::make_shared<BuiltUnit>();
    // Calls stand before the module call that encloses them.
    unit->entry({.name = "Functional.linear.0.forward",
                 .kind = EntryKind::Api,
                 .module = "model.layers.0",
                 .operation = "Functional.linear",
                 .parent = 1});
    unit->recorded(Role::Input, "0", {1, 2});
    unit->recorded(Role::Input, "1", {weight, 1});
    unit->recorded(Role::Output, "0", {weight, 2});
    unit->module("model.layers.0", "Layer");
    unit->recorded(Role::Input, "0", {1, 2});
    unit->recorded(Role::Output, "0", {weight, 2});
    return unit;
  };
  const auto compared = compareUnits(build(1), build(3), {});
  ASSERT_TRUE(compared);
  const Verdict verdict = findCulprits(*compared);
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_EQ(verdict.culprits[0].name, "Functional.linear.0.forward");
}

/// Scores behind a mask, and what softmax makes of them.
std::shared_ptr<BuiltUnit> maskedScores(double score,
                                        double mask,
                                        const std::string& dtype = "torch.float32") {
  auto unit = std::make_shared<BuiltUnit>();
  unit->api("Torch.where", 0);
  unit->recorded(Role::Input, "0", {score, 1});
  unit->value(Role::Input, "2", std::to_string(mask));
  unit->recorded(Role::Output, "0", {score, mask});
  unit->api("Functional.softmax", 0);
  unit->recorded(Role::Input, "0", {score, mask});
  unit->recorded(Role::Output, "0", {score / 10, 0});
  for (dumps::DumpRow& row : unit->rows) {
    row.dtype = row.value.empty() ? dtype : row.dtype;
  }
  return unit;
}

TEST(CulpritTest, AnErrorBesideAMaskIsNotTakenForNothing) {
  constexpr double kMask = -3.4028234663852886e38;
  const auto compared = compareUnits(maskedScores(1, kMask), maskedScores(1.5, kMask), {});
  ASSERT_TRUE(compared);
  const Verdict verdict = findCulprits(*compared);
  ASSERT_THAT(verdict.culprits, SizeIs(1)) << "softmax passes on what came in";
  EXPECT_EQ(verdict.culprits[0].name, "Torch.where.0.forward");
}

TEST(CulpritTest, MasksOfFormatsOfDifferentWidthAreBothMasks) {
  const auto compared = compareUnits(
      maskedScores(1, -3.4028234663852886e38), maskedScores(1, -65504, "torch.float16"), {});
  ASSERT_TRUE(compared);
  EXPECT_THAT(findCulprits(*compared).culprits, IsEmpty());
}

TEST(CulpritTest, InfinityAndTheLowestNumberStandForTheSameMask) {
  constexpr double kLowest = -3.4028234663852886e38;
  const auto compared =
      compareUnits(maskedScores(1, kLowest), maskedScores(1, -test::kInfinity), {});
  ASSERT_TRUE(compared);
  EXPECT_THAT(findCulprits(*compared).culprits, IsEmpty());
}

TEST(CulpritTest, AmongElementsAMaskHidesNoErrorEither) {
  const auto build = [](float score) {
    constexpr float kLowest = std::numeric_limits<float>::lowest();
    auto unit = std::make_shared<BuiltUnit>();
    unit->api("Torch.where", 0);
    unit->tensor(Role::Input, "0", {score, 1});
    unit->tensor(Role::Output, "0", {score, kLowest});
    unit->api("Functional.softmax", 0);
    unit->tensor(Role::Input, "0", {score, kLowest});
    unit->tensor(Role::Output, "0", {score / 10, 0});
    return unit;
  };
  const auto compared = compareUnits(build(1), build(1.5F), {});
  ASSERT_TRUE(compared);
  const Verdict verdict = findCulprits(*compared);
  ASSERT_THAT(verdict.culprits, SizeIs(1)) << "softmax passes on what came in";
  EXPECT_EQ(verdict.culprits[0].name, "Torch.where.0.forward");
}

TEST(CulpritTest, ArgumentsThatCountAreNotRoundedAndNanIsNoNumber) {
  const auto culprits = [](const std::string& before, const std::string& after) {
    const auto build = [](const std::string& value) {
      auto unit = std::make_shared<BuiltUnit>();
      unit->api("Functional.window", 0);
      unit->recorded(Role::Input, "0", {1, 2});
      unit->value(Role::Input, "1", value);
      unit->recorded(Role::Output, "0", {3, 4});
      unit->rows[0].dtype = unit->rows[2].dtype = "torch.bfloat16";
      return unit;
    };
    const auto compared = compareUnits(build(before), build(after), {});
    EXPECT_TRUE(compared);
    return findCulprits(*compared).culprits.size();
  };
  EXPECT_EQ(culprits("4096", "4097"), 1U) << "a length";
  EXPECT_EQ(culprits("0.125", "0.1255"), 0U) << "a scale, rounded to bfloat16";
  EXPECT_EQ(culprits("1", "1.0"), 0U);
  EXPECT_EQ(culprits("0.125", "nan"), 1U);
  EXPECT_EQ(culprits("nan", "nan"), 0U);
  EXPECT_EQ(culprits("inf", "5"), 1U);
}

/// A product with a bias, and a function of what it puts out.
std::shared_ptr<BuiltUnit> biasedUnit(double bias) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->module("model.layers.0.q_proj", "Linear");
  unit->recorded(Role::Input, "0", {1, 2});
  unit->recorded(Role::Parameter, "weight", {1, 1});
  unit->recorded(Role::Parameter, "bias", {bias, bias});
  unit->recorded(Role::Output, "0", {3 + bias, 4 + bias});
  unit->api("Functional.silu", 0);
  unit->recorded(Role::Input, "0", {3 + bias, 4 + bias});
  unit->recorded(Role::Output, "0", {2 + bias, 3 + bias});
  return unit;
}

TEST(CulpritTest, AParameterOfZerosInTheBaselineAloneIsTheSource) {
  const auto compared = compareUnits(biasedUnit(0), biasedUnit(0.5), {});
  ASSERT_TRUE(compared);
  const Verdict verdict = findCulprits(*compared);
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_EQ(verdict.culprits[0].kind, CulpritKind::Source);
  EXPECT_EQ(verdict.culprits[0].site.module, "model.layers.0.q_proj");
  EXPECT_TRUE(std::isnan(verdict.culprits[0].error));
  EXPECT_THAT(verdict.culprits[0].reason.text(),
              HasSubstr("holds numbers where the baseline has zeros alone"));
}

/// The gradient of an attention's key bias is 0: what there is of it is rounding.
TEST(CulpritTest, RoundingOfASumThatCancelsIsNobodysFault) {
  const auto build = [](double bias) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->entry({.name = "Functional.linear.7.backward",
                 .kind = EntryKind::Api,
                 .pass = Pass::Backward,
                 .operation = "linear"});
    unit->recorded(Role::OutputGradient, "0", {0.5, -0.5});
    unit->recorded(Role::InputGradient, "1", {1, 1});
    unit->recorded(Role::InputGradient, "2", {bias, -bias});
    return unit;
  };
  const auto rounded = compareUnits(build(2e-10), build(3e-6), {});
  ASSERT_TRUE(rounded);
  EXPECT_THAT(findCulprits(*rounded).culprits, IsEmpty());
  const auto wrong = compareUnits(build(2e-10), build(0.1), {});
  ASSERT_TRUE(wrong);
  EXPECT_THAT(findCulprits(*wrong).culprits, SizeIs(1)) << "as large as the others";
}

TEST(CulpritTest, NoiseAmongGradientsOfZeroIsNobodysFault) {
  const auto build = [](double noise) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->entry({.name = "Module.a.Linear.parameters_grad",
                 .kind = EntryKind::Gradient,
                 .pass = Pass::ParameterGradient,
                 .module = "a"});
    unit->recorded(Role::ParameterGradient, "weight", {1, 1});
    unit->recorded(Role::ParameterGradient, "bias", {noise, -noise});
    return unit;
  };
  const auto compared = compareUnits(build(0), build(1e-12), {});
  ASSERT_TRUE(compared);
  EXPECT_THAT(findCulprits(*compared).culprits, IsEmpty());
}

TEST(CulpritTest, AParameterIsJudgedThoughAnotherHoldsTheSameInTheBaseline) {
  const auto build = [](double weight) {
    auto unit = std::make_shared<BuiltUnit>();
    for (const bool isLater : {false, true}) {
      unit->module(isLater ? "model.layers.5.norm" : "model.layers.0.norm", "RMSNorm");
      const double scale = isLater ? weight : 1;
      const double input = isLater ? 3 : 1;
      unit->recorded(Role::Input, "0", {input, 4});
      unit->recorded(Role::Parameter, "weight", {scale, 1});
      unit->recorded(Role::Output, "0", {input * scale, 4});
    }
    return unit;
  };
  const auto compared = compareUnits(build(1), build(2), {});
  ASSERT_TRUE(compared);
  const Verdict verdict = findCulprits(*compared);
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_EQ(verdict.culprits[0].kind, CulpritKind::Source);
  EXPECT_EQ(verdict.culprits[0].site.module, "model.layers.5.norm");
}

TEST(CulpritTest, ACallThatAMappingPairsWithTwoIsJudgedAsAWhole) {
  auto baseline = std::make_shared<BuiltUnit>();
  baseline->module("m.both");
  baseline->recorded(Role::Output, "0", {3, 4});
  baseline->recorded(Role::Output, "1", {5, 6});
  auto candidate = std::make_shared<BuiltUnit>();
  candidate->module("m.x");
  candidate->recorded(Role::Output, "0", {6, 8});
  candidate->module("m.y");
  candidate->recorded(Role::Output, "0", {5, 6});
  const auto mapping = SiteMapping::parse(
      "Module.m.x.Module.forward.0.output.0: Module.m.both.Module.forward.0.output.0\n"
      "Module.m.y.Module.forward.0.output.0: Module.m.both.Module.forward.0.output.1\n",
      "m.yaml");
  ASSERT_TRUE(mapping);
  const auto compared = compareUnits(baseline, candidate, {.mapping = *mapping});
  ASSERT_TRUE(compared);
  const Verdict verdict = findCulprits(*compared);
  EXPECT_EQ(verdict.comparedRows, 2U);
  EXPECT_EQ(verdict.equalRows, 1U);
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_EQ(verdict.culprits[0].rowName, "Module.m.both.Module.forward.0.output.0");
}

TEST(CulpritTest, OfNamesThatRepeatTheReportsIsTold) {
  const auto build = [](double last) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->api("Functional.silu", 0);
    unit->recorded(Role::Input, "0", {1, 2});
    unit->recorded(Role::Output, "0", {3, 4});
    unit->api("Functional.silu", 0);
    unit->recorded(Role::Input, "0", {3, 4});
    unit->recorded(Role::Output, "0", {last, 6});
    return unit;
  };
  const auto compared = compareUnits(build(5), build(9), {});
  ASSERT_TRUE(compared);
  const Verdict verdict = findCulprits(*compared);
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_EQ(verdict.culprits[0].row, 3U);
  EXPECT_EQ(verdict.culprits[0].site.name, "Functional.silu.0 (2)");
  EXPECT_EQ(verdict.culprits[0].site, compared->comparisons[3].site);
  const Repeatability judged = judgeRepeatability(*compared);
  ASSERT_TRUE(judged.first);
  EXPECT_EQ(judged.first->site, compared->comparisons[3].site);
}

TEST(CulpritTest, WithoutModulesATensorThatNobodyRecordedIsAGap) {
  const auto build = [](double value) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->api("Functional.linear", 0);
    unit->recorded(Role::Input, "0", {1, 2});
    unit->recorded(Role::Output, "0", {3, 4});
    unit->api("Tensor.pow", 0);
    unit->recorded(Role::Input, "0", {value, 4});
    unit->recorded(Role::Output, "0", {value * value, 16});
    return unit;
  };
  const auto compared = compareUnits(build(5), build(6), {});
  ASSERT_TRUE(compared);
  const Verdict verdict = findCulprits(*compared);
  ASSERT_THAT(verdict.culprits, SizeIs(1));
  EXPECT_EQ(verdict.culprits[0].kind, CulpritKind::Gap);
  EXPECT_EQ(verdict.culprits[0].sureness, Sureness::Medium);
}

}  // namespace
}  // namespace ulp::analysis
