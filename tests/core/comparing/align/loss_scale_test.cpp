#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/align/dump_sides.h"
#include "tests/core/comparing/compared_units.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltUnit;
using test::compared;
using testing::ElementsAre;
using testing::IsEmpty;

/// The backward pass of four layers and the gradients of their parameters.
struct Training {
  float scale = 1;       ///< of the loss
  float parameters = 1;  ///< factor of the gradients of parameters
  float wrong = 1;       ///< factor of what leaves the third layer
  std::string dtype = "torch.float32";
  bool hasParameters = true;

  [[nodiscard]] std::shared_ptr<BuiltUnit> unit() const {
    auto unit = std::make_shared<BuiltUnit>();
    float gradient = scale;
    for (int layer = 3; layer >= 0; --layer) {
      unit->entry({.name = fmt::format("layers.{}.backward", layer),
                   .kind = dumps::EntryKind::Module,
                   .pass = Pass::Backward,
                   .module = fmt::format("layers.{}", layer),
                   .operation = "Linear"});
      add(*unit, Role::OutputGradient, "0", gradient);
      gradient *= 0.7F * (layer == 1 ? wrong : 1);
      add(*unit, Role::InputGradient, "0", gradient);
    }
    for (int layer = 0; layer < 4 && hasParameters; ++layer) {
      unit->entry({.name = fmt::format("layers.{}.parameter_gradient", layer),
                   .kind = dumps::EntryKind::Gradient,
                   .pass = Pass::ParameterGradient,
                   .module = fmt::format("layers.{}", layer),
                   .operation = "Linear"});
      add(*unit, Role::ParameterGradient, "weight", parameters * 0.3F);
    }
    return unit;
  }

 private:
  void add(BuiltUnit& unit, Role role, const std::string& index, float value) const {
    unit.recorded(role, index, {value, -2 * value});
    const dumps::Statistics statistics = unit.rows.back().statistics;
    unit.rows.pop_back();
    unit.entries.back().rowCount -= 1;
    unit.tensor(role, index, {value, -2 * value});
    unit.rows.back().statistics = statistics;
    unit.rows.back().dtype = dtype;
  }
};

std::vector<std::string> culpritsOf(const UnitOutcome& outcome) {
  std::vector<std::string> names;
  for (const Culprit& culprit : outcome.verdict.culprits) {
    names.push_back(culprit.name);
  }
  return names;
}

const std::string kHalf = "torch.float16";

TEST(LossScaleTest, AScaledLossIsNoErrorOnEitherSide) {
  const Training whole;
  const Training scaled{.scale = 1024, .dtype = kHalf};
  const UnitOutcome outcome = compared(whole.unit(), scaled.unit());
  EXPECT_THAT(culpritsOf(outcome), IsEmpty());
  EXPECT_THAT(textsOf(outcome.notes),
              ElementsAre("gradients of the candidate are those of a loss times 1024: the "
                          "baseline's are compared times 1024; 'loss_scale' of the mapping can say "
                          "otherwise"));
  EXPECT_EQ(outcome.equalRows, 12U) << "a power of two loses no bit";
  const UnitOutcome other = compared(scaled.unit(), whole.unit());
  EXPECT_THAT(culpritsOf(other), IsEmpty());
  EXPECT_EQ(other.equalRows, 12U);
  EXPECT_THAT(textsOf(other.notes), ElementsAre(testing::HasSubstr("of the baseline are those")));
}

TEST(LossScaleTest, WhatIsWrongBehindTheScaleIsFound) {
  const Training scaled{.scale = 1024, .wrong = 1.2F, .dtype = kHalf};
  EXPECT_THAT(culpritsOf(compared(Training().unit(), scaled.unit())),
              ElementsAre("layers.1.backward"));
}

TEST(LossScaleTest, GradientsOfParametersMayHaveTheScaleAsWell) {
  const Training scaled{.scale = 4096, .parameters = 4096, .dtype = kHalf};
  EXPECT_EQ(compared(Training().unit(), scaled.unit()).equalRows, 12U);
  const Training accumulated{.scale = 128, .parameters = 128, .dtype = kHalf};
  EXPECT_LT(compared(Training().unit(), accumulated.unit()).equalRows, 12U)
      << "a loss that is not divided by its micro-batches";
  const Training without{.scale = 4096, .dtype = kHalf, .hasParameters = false};
  EXPECT_EQ(compared(Training{.hasParameters = false}.unit(), without.unit()).equalRows, 8U);
}

TEST(LossScaleTest, OtherFactorsStayErrors) {
  const std::vector<std::pair<const char*, Training>> wrong{
      {"not in float16", {.scale = 1024}},
      {"a loss that is summed over ranks", {.scale = 2, .parameters = 2, .dtype = kHalf}},
      {"gradients that nobody has unscaled", {.scale = 1024, .parameters = 3, .dtype = kHalf}},
      {"no power of two", {.scale = 3, .dtype = kHalf}}};
  for (const auto& [what, candidate] : wrong) {
    const UnitOutcome outcome = compared(Training().unit(), candidate.unit());
    EXPECT_EQ(culpritsOf(outcome).front(), "layers.3.backward") << what;
    EXPECT_THAT(textsOf(outcome.notes), IsEmpty()) << what;
  }
}

TEST(LossScaleTest, TheMappingSwitchesItOff) {
  const Training scaled{.scale = 1024, .dtype = kHalf};
  EXPECT_EQ(culpritsOf(compared(Training().unit(), scaled.unit(), "loss_scale: none")).front(),
            "layers.3.backward");
}

}  // namespace
}  // namespace ulp::analysis
