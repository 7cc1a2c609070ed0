#include "core/analysis/studies/memory/device_memory.h"

#include <gtest/gtest.h>

namespace ulp::analysis {
namespace {

/// Room for everything.
constexpr std::uint64_t kRoom = std::uint64_t{1} << 40;
/// Of cuBLAS.
constexpr std::uint64_t kForward = std::uint64_t{32} << 20;
constexpr std::uint64_t kBoth = std::uint64_t{64} << 20;

/// One layer of width 256, four heads of 64, whose vocabulary decides what takes most.
const ModelOutline kModel{.architecture = "llama",
                          .layers = 1,
                          .hidden = 256,
                          .intermediate = 512,
                          .heads = 4,
                          .keyValueHeads = 4,
                          .headSize = 64,
                          .vocabulary = 4096,
                          .isTied = true};
constexpr std::uint64_t kStepTokens = 2 * 512;
constexpr std::uint64_t kLogitBytes = kStepTokens * 4096 * 4;
constexpr std::uint64_t kTable = std::uint64_t{4096} * 256 * 4;

MemoryOfRuns memoryOf(const std::string& lines, std::uint64_t room = kRoom) {
  const auto study = study::parseStudy(
      "model: {path: m}\ninput: {sequence_length: 512, micro_batch_size: 2}\n" + lines +
          (lines.find("noise_floor") == std::string::npos ? "noise_floor: []\n" : ""),
      "s.yaml");
  EXPECT_TRUE(study) << study.error().message();
  return study ? deviceMemory(kModel, *study, room) : MemoryOfRuns();
}

MemoryParts referenceOf(const std::string& lines, std::uint64_t room = kRoom) {
  return memoryOf(lines, room).at("reference");
}

const std::string kForwardAlone = "capture: {backward: false, level: layer}\n";

TEST(DeviceMemory, OfAForwardPassWeightsTheLogitsAndTheirLogSoftmax) {
  const MemoryParts memory = referenceOf(kForwardAlone);
  EXPECT_EQ(memory.weights, 4 * parameterCount(kModel));
  EXPECT_EQ(memory.gradients, 0U);
  EXPECT_EQ(memory.activations, kLogitBytes) << "nothing of the layer is left";
  EXPECT_EQ(memory.workspace, kForward + kLogitBytes);
  // Embeddings, the layer, the last norm; the logits are there already.
  EXPECT_EQ(memory.captures, 3 * kStepTokens * 256 * 4);
}

TEST(DeviceMemory, OfBothPassesAtTheLossWhatTheLossMakesOnTheWayToItsGradient) {
  const MemoryParts memory = referenceOf("capture: {level: layer}\n");
  // Logarithm of the softmax, the gradient of the loss, that of the logits.
  EXPECT_EQ(memory.workspace, kBoth + 3 * kLogitBytes);
  EXPECT_EQ(memory.gradients, 0U);
  EXPECT_GT(memory.activations, kLogitBytes + 20 * kStepTokens * 256 * 4);
  const MemoryParts narrow =
      referenceOf("capture: {level: layer}\nreference: {precision.compute_dtype: bfloat16}\n");
  EXPECT_EQ(narrow.weights, 2 * parameterCount(kModel));
  // And the logits as the loss reads them, in float32.
  EXPECT_EQ(narrow.workspace, kBoth + 4 * kLogitBytes);
}

TEST(DeviceMemory, AWiderHeadCastsItsWeightsAndKeepsThem) {
  const std::string narrow = "precision.compute_dtype: bfloat16";
  const std::string level = "capture: {level: layer, backward: false}\n";
  const MemoryParts same = referenceOf(level + "reference: {" + narrow + "}\n");
  const MemoryParts wide =
      referenceOf(level + "reference: {" + narrow + ", precision.lm_head_dtype: float32}\n");
  EXPECT_EQ(wide.weights, same.weights);
  EXPECT_EQ(same.activations, kLogitBytes / 2);
  EXPECT_EQ(wide.activations, kLogitBytes) << "and the loss reads them as they are";
  EXPECT_EQ(same.workspace, kForward + 2 * kLogitBytes);
  EXPECT_EQ(wide.workspace, kForward + kLogitBytes);
}

TEST(DeviceMemory, ASimulatedFormatRoundsTheLogitsBesideThoseOfTheProduct) {
  const MemoryParts memory =
      referenceOf(kForwardAlone + "reference: {precision.compute_dtype: mxfp8}\n");
  EXPECT_EQ(memory.weights, 4 * parameterCount(kModel));
  // Both; what the last norm gave, and cosines and sines, which are there still.
  EXPECT_EQ(memory.activations, 2 * kLogitBytes + kStepTokens * 256 * 4 + 2 * 512 * 64 * 4);
  EXPECT_EQ(memory.captures, 2 * kStepTokens * 256 * 4);
  // Of the operations that round, 28 bytes a number.
  EXPECT_EQ(memory.workspace, kForward + 7 * kLogitBytes);
}

TEST(DeviceMemory, AutogradKeepsWhatProductsRounded) {
  const auto activations = [](const std::string& reference) {
    return referenceOf("capture: {level: layer}\nreference: {" + reference + "}\n").activations;
  };
  const std::string plain = "attention.implementation: sdpa_efficient";
  const std::string others =
      "precision.residual_dtype: float32, precision.norm_output_dtype: float32, "
      "precision.rotary_dtype: float32, precision.activation_dtype: float32, "
      "precision.lm_head_dtype: float32, precision.gradient_dtype: float32";
  // Three copies of what the first norm gave and two of the second's, where one was kept of each;
  // one of the attention's output, which its kernel keeps as well.
  EXPECT_EQ(activations(plain + ", precision.compute_dtype: mxfp8, " + others),
            activations(plain) + 4 * kStepTokens * 256 * 4);
}

TEST(DeviceMemory, WeightsOfAnotherFormatAreRoundedAnewForEachProduct) {
  const std::string level = "capture: {level: layer}\nreference: {precision.compute_dtype: mxfp8";
  const MemoryParts same = referenceOf(level + "}\n");
  const MemoryParts other = referenceOf(level + ", precision.weights_dtype: bfloat16}\n");
  EXPECT_EQ(other.weights, same.weights);
  // Autograd keeps them for the gradients of the inputs, but not the embedding's or the norms'.
  EXPECT_EQ(other.activations - same.activations, 4 * (parameterCount(kModel) - 3 * 256));
}

TEST(DeviceMemory, TheReferencesCapturesStayForTheVariants) {
  const MemoryOfRuns runs = memoryOf(kForwardAlone + "variants: {a: {}}\n");
  // Those that the run holds no more, and the logits.
  EXPECT_EQ(runs.at("a").captures, 3 * kStepTokens * 256 * 4 + kLogitBytes);
  EXPECT_EQ(runs.at("a").total(), runs.at("reference").total() + kLogitBytes);
  const MemoryOfRuns less =
      memoryOf("capture: {backward: false, level: layer, include: [norm]}\nvariants: {a: {}}\n");
  EXPECT_EQ(less.at("a").captures, kStepTokens * 256 * 4) << "nothing else is captured";
}

TEST(DeviceMemory, WithoutRoomTheCapturesAreOnTheHost) {
  const MemoryOfRuns runs = memoryOf(kForwardAlone + "variants: {a: {}}\n", 0);
  EXPECT_EQ(runs.at("reference").captures, 0U);
  EXPECT_EQ(runs.at("a").captures, 0U);
  EXPECT_EQ(runs.at("a").total(), runs.at("reference").total());
}

TEST(DeviceMemory, GradientsStayUntilTheStepIsDone) {
  const auto small = [](const std::string& lines) {
    const auto study = study::parseStudy(
        "model: {path: m}\nnoise_floor: []\ninput: {sequence_length: 8}\n"
        "capture: {level: layer}\n" +
            lines,
        "s.yaml");
    EXPECT_TRUE(study) << study.error().message();
    return deviceMemory(kModel, *study, kRoom);
  };
  const MemoryOfRuns step = small("optimizer: {type: adamw}\nvariants: {a: {}}\n");
  EXPECT_EQ(step.at("reference").gradients, 4 * parameterCount(kModel));
  // Seven tensors of the largest parameter: the old one, the decayed one, two averages, the
  // denominator, the new one, the difference.
  EXPECT_EQ(step.at("reference").workspace, kBoth + 7 * kTable);
  // The three that are shown, and the reference's once more.
  EXPECT_EQ(step.at("a").workspace, kBoth + 10 * kTable);
  // Of both uses of the table, which the head shares, there is a gradient, and their sum.
  const MemoryOfRuns plain = small("");
  EXPECT_EQ(plain.at("reference").gradients, 4 * parameterCount(kModel) + 2 * kTable);
}

TEST(DeviceMemory, WhatNobodyLooksAtHasNoGradient) {
  const std::string level = "capture: {level: layer, ";
  const MemoryParts all = referenceOf(level + "parameter_gradients: true}\n");
  const MemoryParts none = referenceOf(level + "parameter_gradients: false}\n");
  // Without it products do not keep their inputs: two of the norms, what the norms rounded, the
  // attention's output, the product of the MLP, the head's input.
  EXPECT_GT(all.activations, none.activations + kStepTokens * (5 * 256 + 512) * 4);
}

TEST(DeviceMemory, MicroBatchesAddTheirGradientsUp) {
  const MemoryParts one = referenceOf("capture: {level: layer}\n");
  const MemoryParts two = referenceOf("capture: {level: layer}\nschedule: {micro_batches: 2}\n");
  EXPECT_EQ(two.gradients, 4 * parameterCount(kModel)) << "those of the first, at the second loss";
  EXPECT_EQ(two.workspace, one.workspace);
  EXPECT_GT(two.captures, one.captures);
}

TEST(DeviceMemory, ScoresAreKeptByEagerAndPlainAttentionAlone) {
  const auto activations = [](const std::string& reference) {
    return referenceOf("capture: {level: layer}\nreference: {" + reference + "}\n").activations;
  };
  // Instead of the logarithms of the sums.
  constexpr std::uint64_t kScores = kStepTokens * 512 * 4 * 4 - kStepTokens * 4 * 4;
  const std::uint64_t fused = activations("attention.implementation: sdpa_efficient");
  EXPECT_EQ(activations("attention.implementation: eager"), fused + kScores);
  EXPECT_EQ(activations("attention.implementation: sdpa_math"), fused + kScores);
  EXPECT_EQ(activations("precision.compute_dtype: float32"), fused + kScores)
      << "a reference that is to be exact";
  EXPECT_EQ(activations("attention.implementation: sdpa"), fused)
      << "without grouped heads LibTorch has a fused kernel for float32";
}

TEST(DeviceMemory, OthersInTheBatchAreComputedButNotCompared) {
  const MemoryOfRuns runs =
      memoryOf(kForwardAlone + "variants: {alone: {}, among: {batch.among: 8}}\n");
  EXPECT_EQ(runs.at("among").weights, runs.at("alone").weights);
  // The logits of all, and the cut ones.
  EXPECT_EQ(runs.at("among").total(), runs.at("alone").total() + 3 * kLogitBytes);
}

TEST(DeviceMemory, ARuleForAllModulesIsTheSettingItself) {
  const std::string lines =
      "capture: {level: layer}\nreference: {attention.implementation: sdpa_flash, precision: {";
  const MemoryParts set = referenceOf(lines + "compute_dtype: bfloat16}}\n");
  const MemoryParts ruled = referenceOf(lines + "rules: [{match: ., compute_dtype: bfloat16}]}}\n");
  EXPECT_EQ(ruled.weights, set.weights);
  EXPECT_EQ(ruled.activations, set.activations);
  EXPECT_EQ(ruled.total(), set.total());
}

TEST(DeviceMemory, RulesCastTheWeightsOfTheirModulesAlone) {
  const MemoryParts memory = referenceOf(
      "capture: {level: layer}\n"
      "reference: {precision.rules: [{match: mlp, compute_dtype: bfloat16}]}\n");
  EXPECT_EQ(memory.weights, 4 * parameterCount(kModel) - 3 * 2 * 256 * 512);
}

TEST(DeviceMemory, WhereFormatsOfThePassesDifferInputsAreKeptAsTheyCame) {
  const auto activations = [](const std::string& rules) {
    return referenceOf(
               "capture: {level: layer}\nreference: {attention.implementation: sdpa_efficient,\n"
               "  precision.rules: [" +
               rules + "]}\n")
        .activations;
  };
  const std::uint64_t plain = activations("");
  EXPECT_EQ(activations("{match: proj$, compute_dtype: mxfp8}"), plain + 4 * kStepTokens * 256 * 4)
      << "each product keeps what it rounded";
  EXPECT_EQ(activations("{match: proj$, compute_dtype: mxfp8, pass: backward}"), plain);
}

TEST(DeviceMemory, PiecesKeepTheirGradientsApart) {
  const auto gradients = [](const std::string& lines) {
    return referenceOf("capture: {level: layer}\n" + lines).gradients;
  };
  const std::uint64_t all = 4 * parameterCount(kModel);
  EXPECT_EQ(gradients("reference: {batch.chunk_length: 16}\n"), 32 * (all + kTable) + kTable)
      << "those of both uses of the table in each piece, and their first sum";
}

TEST(DeviceMemory, ARunInVeryManyPiecesIsNotPlanned) {
  const std::string lines = "input.sequence_length: 2048\ncapture.backward: false\n";
  const auto runsOf = [](const std::string& text) {
    const auto study = study::parseStudy("model: {path: m}\nnoise_floor: []\n" + text, "s.yaml");
    EXPECT_TRUE(study) << study.error().message();
    return study ? deviceMemory(kModel, *study, kRoom) : MemoryOfRuns();
  };
  const MemoryOfRuns some =
      runsOf(lines + "variants: {few: {batch.chunk_length: 2}, many: {batch.chunk_length: 1}}\n");
  EXPECT_TRUE(some.contains("reference"));
  EXPECT_TRUE(some.contains("few"));
  EXPECT_FALSE(some.contains("many"));
  EXPECT_TRUE(runsOf(lines + "reference.batch.chunk_length: 1\nvariants: {a: {}}\n").empty())
      << "nobody knows what it leaves for the variants";
}

TEST(DeviceMemory, FastLlmKeepsJoinedWeightsAndExpandsKeys) {
  const MemoryParts plain = referenceOf(kForwardAlone);
  const MemoryParts fastLlm = referenceOf(kForwardAlone + "reference: {semantics: fast_llm}\n");
  EXPECT_EQ(fastLlm.weights, plain.weights);
  // Its cross-entropy has shifted logits and their exponentials, transformers' one logarithm.
  EXPECT_EQ(fastLlm.workspace, plain.workspace + kLogitBytes);
}

TEST(DeviceMemory, TheRunThatTakesMostDecides) {
  EXPECT_FALSE(largestOf({}));
  const auto largest = largestOf({{"a", {.weights = 5}}, {"b", {.gradients = 7}}, {"c", {}}});
  ASSERT_TRUE(largest);
  EXPECT_EQ(largest->run, "b");
  EXPECT_EQ(largest->memory.total(), 7U);
  const MemoryOfRuns runs =
      memoryOf("noise_floor: [float64]\nvariants: {bf16: {precision.compute_dtype: bfloat16}}\n");
  EXPECT_EQ(runs.size(), 3U);
  EXPECT_EQ(largestOf(runs)->run, "floor.float64");
}

}  // namespace
}  // namespace ulp::analysis
