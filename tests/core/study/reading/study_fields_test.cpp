#include "core/study/reading/study_fields.h"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::study {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kModel = "model: {path: m}\n";

Result<Study> read(std::string_view yaml) {
  return parseStudy(std::string(kModel) + std::string(yaml), "s.yaml");
}

Study parsedFields(std::string_view yaml) {
  auto study = read(yaml);
  EXPECT_TRUE(study.has_value()) << study.error().message();
  return study ? std::move(*study) : Study{};
}

std::string fieldErrorOf(std::string_view yaml) {
  const auto study = read(yaml);
  return study ? "accepted" : study.error().message();
}

TEST(UnusedKeys, OfTheModelAreToldWhereAFunctionMakesIt) {
  const Study study = parsedFields(
      "model: {factory: m.py:make, weights: random, seed: 3}\n"
      "variants: {a: {precision.rounding_seed: 4}}");
  EXPECT_THAT(study.warnings,
              ElementsAre("model.path has no effect: model.factory makes the model",
                          "precision.rounding_seed has no effect: precision.rounding is nearest",
                          "model.weights has no effect: model.factory makes the model",
                          "model.seed has no effect: model.factory makes the model"));
  EXPECT_THAT(parsedFields("variants: {a: {precision.rounding: stochastic, "
                           "precision.rounding_seed: 4}}")
                  .warnings,
              IsEmpty());
}

TEST(UnusedKeys, OverflowIsOfFloat8Formats) {
  const auto warnings = [](const std::string& others) {
    return parsedFields("variants: {a: {precision.overflow: saturate}" + others + "}").warnings;
  };
  EXPECT_THAT(warnings(", b: {precision.compute_dtype: mxfp8, matmul.float8: row}"),
              ElementsAre("precision.overflow has no effect: no format is float8_e4m3fn or "
                          "float8_e5m2"));
  for (const char* format : {"precision.residual_dtype: float8_e5m2",
                             "batch.cache_dtype: float8_e4m3fn, batch.chunk_length: 4",
                             "precision.rules: [{match: mlp, compute_dtype: float8_e4m3fn}]"}) {
    EXPECT_THAT(warnings(fmt::format(", b: {{{}}}", format)), IsEmpty()) << format;
  }
}

TEST(GradientChecks, TheBackwardPassRunsUnlessTheStudySaysNo) {
  EXPECT_TRUE(parsedFields("").captureBackward);
  const Study forward = parsedFields("capture.backward: false");
  EXPECT_FALSE(forward.captureBackward);
  EXPECT_THAT(forward.warnings, IsEmpty());
}

TEST(GradientChecks, WithoutABackwardPassKeysOfGradientsSayThatTheyDoNothing) {
  const Study study = parsedFields(
      "capture: {backward: false, parameter_gradients: true}\n"
      "variants: {a: {gradient.scale: auto}}");
  EXPECT_THAT(study.warnings,
              ElementsAre("capture.parameter_gradients has no effect: capture.backward is false",
                          "gradient.scale has no effect: capture.backward is false"));
}

TEST(GradientChecks, AnOptimizerNeedsTheBackwardPass) {
  EXPECT_THAT(fieldErrorOf("capture.backward: false\noptimizer.type: adamw"),
              HasSubstr("s.yaml:3:17: optimizer.type 'adamw' needs gradients"));
}

TEST(GradientChecks, DefaultsOfOptimizersAreThoseOfTorch) {
  EXPECT_EQ(parsedFields("").optimizer.type, OptimizerSettings::Type::None);
  EXPECT_THAT(parsedFields("").optimizer.rows(), IsEmpty());
  const OptimizerSettings adamW = parsedFields("optimizer.type: adamw").optimizer;
  EXPECT_EQ(adamW.type, OptimizerSettings::Type::AdamW);
  EXPECT_EQ(adamW.learningRate, 1e-3);
  EXPECT_EQ(adamW.beta1, 0.9);
  EXPECT_EQ(adamW.beta2, 0.999);
  EXPECT_EQ(adamW.epsilon, 1e-8);
  EXPECT_EQ(adamW.weightDecay, 0.01);
  EXPECT_THAT(adamW.rows(), ElementsAre("exp_avg", "exp_avg_sq", "update"));
  const OptimizerSettings sgd = parsedFields("optimizer.type: sgd").optimizer;
  EXPECT_EQ(sgd.weightDecay, 0);
  EXPECT_EQ(sgd.momentum, 0);
  EXPECT_THAT(sgd.rows(), ElementsAre("update"));
  EXPECT_THAT(parsedFields("optimizer: {type: sgd, momentum: 0.9}").optimizer.rows(),
              ElementsAre("momentum", "update"));
  EXPECT_EQ(parsedFields("optimizer: {type: adamw, weight_decay: 0}").optimizer.weightDecay, 0);
}

TEST(GradientChecks, DecaysOfAveragesLieBelowOne) {
  EXPECT_THAT(fieldErrorOf("optimizer: {type: adamw, beta2: 1}"),
              HasSubstr("'optimizer.beta2' must be below 1"));
  EXPECT_THAT(fieldErrorOf("optimizer: {type: adamw, beta1: -0.1}"), HasSubstr("optimizer.beta1"));
}

TEST(GradientChecks, KeysOfAnotherOptimizerSayThatTheyDoNothing) {
  EXPECT_THAT(parsedFields("optimizer: {type: sgd, epsilon: 1e-4}").warnings,
              Contains("optimizer.epsilon has no effect: optimizer.type is sgd"));
  EXPECT_THAT(parsedFields("optimizer: {type: adamw, momentum: 0.9}").warnings,
              Contains("optimizer.momentum has no effect: optimizer.type is adamw"));
  EXPECT_THAT(parsedFields("variants: {a: {precision.optimizer_dtype: bfloat16}}").warnings,
              Contains("precision.optimizer_dtype has no effect: optimizer.type is none"));
}

TEST(GradientChecks, TheStateOfOptimizersIsFloat32UnlessTheRunIsFloat64) {
  const Study study = parsedFields(
      "optimizer.type: adamw\n"
      "variants: {a: {precision.compute_dtype: bfloat16}, b: {precision.compute_dtype: float64}, "
      "c: {precision.optimizer_dtype: mxfp8}}");
  const auto formatOf = [&](std::string_view run) {
    return effectiveSettings(study, run)->at("precision.optimizer_dtype").value;
  };
  EXPECT_EQ(formatOf("reference"), "float32");
  EXPECT_EQ(formatOf("a"), "float32");
  EXPECT_EQ(formatOf("b"), "float64");
  EXPECT_EQ(formatOf("c"), "mxfp8");
}

}  // namespace
}  // namespace ulp::study
