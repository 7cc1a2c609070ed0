#include "core/analysis/studies/run_formats.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/study/reading/study.h"

namespace ulp::analysis {
namespace {

using numerics::NumberFormat;
using numerics::Operation;

std::size_t runsIn(const std::string& yaml, bool isOnCuda) {
  const auto study = study::parseStudy("model: {path: m}\n" + yaml, "s.yaml");
  EXPECT_TRUE(study) << study.error().message();
  return runFormats(*study, isOnCuda).size();
}

TEST(RunFormatsTest, TheNoiseFloorCountsAsOftenAsItRuns) {
  EXPECT_EQ(runsIn("variants: {a: {}, b: {}}", false), 3U);
  EXPECT_EQ(runsIn("variants: {a: {}, b: {}}", true), 4U) << "the reference is repeated";
  EXPECT_EQ(runsIn("noise_floor: []", true), 1U);
  EXPECT_EQ(runsIn("noise_floor: [float64, attention]", true), 3U);
}

TEST(RunFormatsTest, Float64IsEightBytesEverywhere) {
  const auto study = study::parseStudy("model: {path: m}\nnoise_floor: [float64]", "s.yaml");
  ASSERT_TRUE(study) << study.error().message();
  const std::vector<RunFormats> runs = runFormats(*study, false);
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].bytes(Operation::Compute), 4U);
  for (const std::string_view key : numerics::operationKeys()) {
    EXPECT_EQ(runs[1].bytes(*numerics::parseOperationKey(key)), 8U) << key;
  }
}

TEST(RunFormatsTest, SimulatedFormatsAreToldFromWhatHoldsThem) {
  const auto study = study::parseStudy(
      "model: {path: m}\n"
      "variants: {a: {precision.compute_dtype: mxfp8},\n"
      "  b: {precision: {compute_dtype: nvfp4, residual_dtype: bfloat16, rounding: stochastic}}}",
      "s.yaml");
  ASSERT_TRUE(study) << study.error().message();
  const std::vector<RunFormats> runs = runFormats(*study, false);
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0][Operation::Compute], NumberFormat::Float32);
  EXPECT_EQ(runs[1][Operation::Compute], NumberFormat::Mxfp8);
  EXPECT_EQ(runs[1].bytes(Operation::Compute), 4U);
  EXPECT_EQ(runs[1][Operation::Logits], NumberFormat::Mxfp8) << "follows";
  EXPECT_EQ(runs[1][Operation::NormStatistics], NumberFormat::Float32);
  EXPECT_FALSE(runs[1].isStochastic);
  EXPECT_EQ(runs[2][Operation::Activation], NumberFormat::Nvfp4);
  EXPECT_EQ(runs[2].bytes(Operation::Residual), 2U);
  EXPECT_TRUE(runs[2].isStochastic);
}

TEST(RunFormatsTest, OnlyAutoSeeksAFactorForFloat16) {
  const auto study = study::parseStudy(
      "model: {path: m}\n"
      "variants: {a: {precision.compute_dtype: float16},\n"
      "  b: {precision.compute_dtype: float16, gradient.scale: auto},\n"
      "  c: {precision.compute_dtype: bfloat16, gradient.scale: auto}, d: {gradient.scale: 8}}",
      "s.yaml");
  ASSERT_TRUE(study) << study.error().message();
  const std::vector<RunFormats> runs = runFormats(*study, false);
  ASSERT_EQ(runs.size(), 5U);
  EXPECT_EQ(runs[1].lossScale, LossScale::One);
  EXPECT_EQ(runs[2].lossScale, LossScale::Sought);
  EXPECT_EQ(runs[3].lossScale, LossScale::One);
  EXPECT_EQ(runs[4].lossScale, LossScale::Fixed);
}

TEST(RunFormatsTest, ProductsInFloat8AreThoseOfTheLevers) {
  const auto study = study::parseStudy(
      "model: {path: m}\n"
      "variants: {a: {matmul.float8: tensor},\n"
      "  b: {matmul: {float8: row, float8_kernel: scaled_mm}}}",
      "s.yaml");
  ASSERT_TRUE(study) << study.error().message();
  const std::vector<RunFormats> runs = runFormats(*study, false);
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].float8, Float8Way::None);
  EXPECT_EQ(runs[1].float8, Float8Way::Simulated);
  EXPECT_FALSE(runs[1].scalesRows);
  EXPECT_EQ(runs[2].float8, Float8Way::Kernel);
  EXPECT_TRUE(runs[2].scalesRows);
}

TEST(RunFormatsTest, OthersInTheBatchAndPaddingAreComputed) {
  const auto study = study::parseStudy(
      "model: {path: m}\n"
      "input: {micro_batch_size: 2, sequence_length: 10}\n"
      "variants: {a: {batch.among: 8}, b: {batch: {padding: 5}}, c: {batch.chunk_length: 1}}",
      "s.yaml");
  ASSERT_TRUE(study) << study.error().message();
  const std::vector<RunFormats> runs = runFormats(*study, false);
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_EQ(runs[0].positions, 1);
  EXPECT_EQ(runs[1].positions, 4);
  EXPECT_EQ(runs[2].positions, 1.5);
  EXPECT_EQ(runs[3].positions, 1);
}

TEST(RunFormatsTest, RulesHoldWhereTheyMatchAndInTheirPass) {
  const auto study = study::parseStudy(
      "model: {path: m}\n"
      "variants: {a: {precision: {compute_dtype: bfloat16, rules: [\n"
      "  {match: mlp, compute_dtype: float32},\n"
      "  {match: gate_proj, pass: backward, compute_dtype: mxfp8}]}}}",
      "s.yaml");
  ASSERT_TRUE(study) << study.error().message();
  const RunFormats run = runFormats(*study, false).at(1);
  EXPECT_EQ(run[Operation::Compute], NumberFormat::BFloat16);
  const ModuleFormats elsewhere = run.at("model.layers.0.self_attn");
  EXPECT_EQ(elsewhere.forward[Operation::Compute], NumberFormat::BFloat16);
  EXPECT_FALSE(elsewhere.isSplit());
  const ModuleFormats wide = run.at("model.layers.0.mlp");
  EXPECT_EQ(wide.forward[Operation::Activation], NumberFormat::Float32) << "follows";
  EXPECT_FALSE(wide.isSplit());
  const ModuleFormats split = run.at("model.layers.0.mlp.gate_proj");
  EXPECT_EQ(split.forward[Operation::Compute], NumberFormat::Float32);
  EXPECT_EQ(split.backward[Operation::Compute], NumberFormat::Mxfp8);
  EXPECT_TRUE(split.isSplit());
}

TEST(RunFormatsTest, ARuleInFloat16IsAReasonToSeekAFactor) {
  const auto study = study::parseStudy(
      "model: {path: m}\n"
      "variants: {a: {gradient.scale: auto,\n"
      "  precision.rules: [{match: mlp, activation_dtype: float16}]}}",
      "s.yaml");
  ASSERT_TRUE(study) << study.error().message();
  EXPECT_EQ(runFormats(*study, false).at(1).lossScale, LossScale::Sought);
}

TEST(RunFormatsTest, ModulesMultiplyInFloat8WhereTheyMatchAndHaveKernels) {
  const auto study = study::parseStudy(
      "model: {path: m}\n"
      "variants: {a: {matmul: {float8: row}}, b: {matmul: {float8: row, float8_modules: mlp},\n"
      "  precision.rules: [{match: gate_proj, compute_dtype: mxfp8},\n"
      "    {match: up_proj, pass: backward, compute_dtype: float64}]}}",
      "s.yaml");
  ASSERT_TRUE(study) << study.error().message();
  const std::vector<RunFormats> runs = runFormats(*study, false);
  ASSERT_EQ(runs.size(), 3U);
  const std::string query = "model.layers.0.self_attn.q_proj";
  EXPECT_FALSE(runs[0].isFloat8At(query));
  EXPECT_TRUE(runs[1].isFloat8At(query));
  EXPECT_FALSE(runs[2].isFloat8At(query)) << "does not match";
  EXPECT_TRUE(runs[2].isFloat8At("model.layers.0.mlp.down_proj"));
  EXPECT_FALSE(runs[2].isFloat8At("model.layers.0.mlp.gate_proj")) << "simulated";
  EXPECT_FALSE(runs[2].isFloat8At("model.layers.0.mlp.up_proj")) << "float64 on the way back";
}

TEST(RunFormatsTest, FloorsChangeTheReferenceAsTheirRunsDo) {
  const auto study = study::parseStudy(
      "model: {path: m}\nnoise_floor: [repeat, attention, float64]\n"
      "reference: {attention.implementation: eager, matmul.float8: tensor,\n"
      "  precision: {compute_dtype: bfloat16, rules: [{match: mlp, compute_dtype: float32}]}}",
      "s.yaml");
  ASSERT_TRUE(study) << study.error().message();
  const std::vector<RunFormats> runs = runFormats(*study, true);
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_EQ(runs[1].run, "floor.repeat");
  EXPECT_EQ(runs[1].attention, AttentionKind::Eager);
  EXPECT_TRUE(runs[1].rules);
  EXPECT_EQ(runs[2].run, "floor.attention");
  EXPECT_EQ(runs[2].attention, AttentionKind::Chosen);
  EXPECT_EQ(runs[2][Operation::Compute], NumberFormat::BFloat16);
  EXPECT_EQ(runs[3].run, "floor.float64");
  EXPECT_EQ(runs[3].attention, AttentionKind::Eager);
  EXPECT_EQ(runs[3][Operation::Softmax], NumberFormat::Float64);
  EXPECT_EQ(runs[3].float8, Float8Way::None);
  EXPECT_FALSE(runs[3].rules);
}

TEST(RunFormatsTest, FastLlmBringsItsKernels) {
  const auto study = study::parseStudy(
      "model: {path: m}\n"
      "variants: {a: {semantics: fast_llm}, b: {norm.implementation: fused}}",
      "s.yaml");
  ASSERT_TRUE(study) << study.error().message();
  const std::vector<RunFormats> runs = runFormats(*study, false);
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_FALSE(runs[0].isFastLlm || runs[0].fusesNorms || runs[0].fusesRotation);
  EXPECT_TRUE(runs[1].isFastLlm && runs[1].fusesNorms && runs[1].fusesRotation);
  EXPECT_FALSE(runs[2].isFastLlm || runs[2].fusesRotation);
  EXPECT_TRUE(runs[2].fusesNorms);
}

}  // namespace
}  // namespace ulp::analysis
