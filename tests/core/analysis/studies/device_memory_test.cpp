#include "core/analysis/studies/device_memory.h"

#include <gtest/gtest.h>

namespace ulp::analysis {
namespace {

constexpr std::uint64_t kLibraries = std::uint64_t{32} << 20;

/// One layer of width 8, two heads of four.
const ModelOutline kModel{.architecture = "llama",
                          .layers = 1,
                          .hidden = 8,
                          .intermediate = 16,
                          .heads = 2,
                          .keyValueHeads = 1,
                          .headSize = 4,
                          .vocabulary = 32};
const StepShape kStep{.batch = 2, .length = 10};
const RunFormats kBFloat16{.compute = 2, .residual = 2, .head = 2};

TEST(DeviceMemory, CountsWeightsAndTheirGradientsInTheFormatOfTheRun) {
  const std::uint64_t parameters = parameterCount(kModel);
  EXPECT_EQ(deviceMemory(kModel, kStep, RunFormats()).weights, 4 * parameters);
  const MemoryParts narrow = deviceMemory(kModel, kStep, kBFloat16);
  EXPECT_EQ(narrow.weights, 2 * parameters);
  EXPECT_EQ(narrow.gradients, 2 * parameters);
  StepShape step = kStep;
  step.hasParameterGradients = false;
  EXPECT_EQ(deviceMemory(kModel, step, kBFloat16).gradients, 0U);
  step.hasParameterGradients = true;
  step.microBatches = 3;
  EXPECT_EQ(deviceMemory(kModel, step, kBFloat16).gradients, 4 * parameters)
      << "those of the step, and of the micro-batch";
}

TEST(DeviceMemory, AWiderHeadHasWeightsOfItsOwn) {
  RunFormats formats = kBFloat16;
  formats.head = 4;
  EXPECT_EQ(deviceMemory(kModel, kStep, formats).weights, 2 * parameterCount(kModel) + 4U * 32 * 8);
}

TEST(DeviceMemory, CountsWhatTheBackwardPassNeedsOfEachToken) {
  // Norms 3 x (4 + 2 x 2) x 8, attention (3 x 2 + 2) x 4 x 2, product 4 x 16 x 2.
  constexpr std::uint64_t kToken = 192 + 64 + 128;
  EXPECT_EQ(deviceMemory(kModel, kStep, kBFloat16).activations, 20 * kToken);
  // Logits of 32 words: twice in two bytes, three times in four.
  EXPECT_EQ(deviceMemory(kModel, kStep, kBFloat16).workspace,
            kLibraries + 20U * 32 * (2 * 2 + 3 * 4));
  RunFormats eager = kBFloat16;
  eager.keepsScores = true;
  // Keys and values of each head, scores in float32 and as they are cast.
  EXPECT_EQ(deviceMemory(kModel, kStep, eager).activations,
            20 * (kToken + 2U * 2 * 4 * 2 + 2U * 10 * (4 + 2)));
}

TEST(DeviceMemory, WhatIsComputedBesideTakesActivationsAndLogitsButNoLoss) {
  RunFormats wide = kBFloat16;
  wide.positions = 4;
  const MemoryParts alone = deviceMemory(kModel, kStep, kBFloat16);
  const MemoryParts among = deviceMemory(kModel, kStep, wide);
  EXPECT_EQ(among.activations, 4 * alone.activations);
  EXPECT_EQ(among.workspace, alone.workspace + 2U * 60 * 32 * 2) << "and their gradient, zeros";
  EXPECT_EQ(among.weights, alone.weights);
}

TEST(DeviceMemory, AForwardPassKeepsOneLayer) {
  ModelOutline deep = kModel;
  deep.layers = 12;
  StepShape forward = kStep;
  forward.backward = false;
  EXPECT_EQ(deviceMemory(deep, forward, kBFloat16).activations,
            deviceMemory(kModel, forward, kBFloat16).activations);
  EXPECT_EQ(deviceMemory(deep, forward, kBFloat16).gradients, 0U);
  EXPECT_GT(deviceMemory(deep, kStep, kBFloat16).activations,
            10 * deviceMemory(kModel, kStep, kBFloat16).activations);
}

TEST(DeviceMemory, TheRunOfAStudyThatTakesMostDecides) {
  const auto studyWith = [](const std::string& lines) {
    auto study = study::parseStudy(
        "model: {path: m}\ninput: {sequence_length: 10, "
        "micro_batch_size: 2}\ncapture: {parameter_gradients: false}\n"
        "variants: {bf16: {precision.compute_dtype: bfloat16}}\n" +
            lines,
        "s.yaml");
    EXPECT_TRUE(study) << study.error().message();
    return *study;
  };
  const auto plain = deviceMemory(kModel, studyWith(""));
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->weights, 4 * parameterCount(kModel)) << "the reference";
  EXPECT_EQ(plain->gradients, 0U);
  EXPECT_EQ(deviceMemory(kModel, studyWith("noise_floor: [float64]\n"))->weights,
            8 * parameterCount(kModel));
  EXPECT_EQ(deviceMemory(kModel, studyWith("optimizer: {type: sgd}\n"))->gradients,
            4 * parameterCount(kModel))
      << "the optimizer needs them";
}

TEST(DeviceMemory, ScoresOfTheAttentionCountInEveryRunThatKeepsThem) {
  const auto activations = [](const std::string& reference, const std::string& variant) {
    const auto study = study::parseStudy(
        "model: {path: m}\ninput: {sequence_length: 10}\nreference: {" + reference +
            "}\nvariants: {v: {precision.compute_dtype: float32, " + variant + "}}\n",
        "s.yaml");
    EXPECT_TRUE(study) << study.error().message();
    return deviceMemory(kModel, *study)->activations;
  };
  const std::string sdpa = "attention.implementation: sdpa";
  const std::string eager = "attention.implementation: eager";
  const std::uint64_t none = activations(sdpa, sdpa);
  const std::uint64_t kept = activations(eager, sdpa);
  EXPECT_GT(kept, none);
  EXPECT_EQ(activations(sdpa, eager), kept) << "a variant alone";
  EXPECT_EQ(activations(sdpa, "attention.implementation: sdpa_math"), kept);
  EXPECT_EQ(activations("precision.compute_dtype: float32", sdpa), kept)
      << "a reference that is to be exact";
  EXPECT_EQ(activations("precision.compute_dtype: bfloat16", sdpa), none);
}

}  // namespace
}  // namespace ulp::analysis
