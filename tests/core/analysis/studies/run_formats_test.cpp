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

}  // namespace
}  // namespace ulp::analysis
