// The plan of memory beside the engine where rules, kernels and batches differ.

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/engine/running/memory_cases.h"

namespace ulp::test {
namespace {

using enum engine::AttentionImplementation;

study::PrecisionRule rule(std::string match,
                          Operation operation,
                          NumberFormat format,
                          study::RulePass pass = study::RulePass::Both) {
  study::PrecisionRule made{.match = std::move(match), .pass = pass, .formats = {}};
  made.formats[operation] = format;
  return made;
}

using Cases = std::vector<MemoryCase>;

template <class Change>
void add(Cases& cases, const MemoryCase& of, const std::string& name, const Change& change) {
  MemoryCase one = of;
  one.name += "_" + name;
  change(one);
  cases.push_back(std::move(one));
}

/// With what decides most about which tensors live.
void addShapes(Cases& cases, const MemoryCase& of) {
  for (const Level level : {Level::Layer, Level::Op}) {
    for (const bool backward : {true, false}) {
      const std::string name = backward ? "" : "forward_";
      add(cases, of, name + std::string(toString(level)), [&](MemoryCase& one) {
        one.level = level;
        one.backward = backward;
        // What autograd keeps of layers is more than the logits.
        one.vocabulary = 120;
      });
    }
  }
  add(cases, of, "eager", [](MemoryCase& one) {
    one.attention = Eager;
    one.kind = AttentionKind::Eager;
    one.vocabulary = 24;
  });
  add(cases, of, "microBatches", [](MemoryCase& one) {
    one.microBatches = 2;
    one.vocabulary = 120;
  });
}

Cases shaped(const Cases& all) {
  Cases cases;
  for (const MemoryCase& each : all) {
    addShapes(cases, each);
  }
  return cases;
}

/// And with everything else that does.
Cases varied(const Cases& all) {
  Cases cases;
  for (const MemoryCase& each : all) {
    addShapes(cases, each);
    add(cases, each, "fused", [](MemoryCase& one) {
      one.attention = SdpaFlash;
      one.kind = AttentionKind::Fused;
      one.vocabulary = 24;
    });
    add(cases, each, "logits", [](MemoryCase&) {});
    add(cases, each, "noGradients", [](MemoryCase& one) { one.gradients = false; });
    add(cases, each, "optimizer", [](MemoryCase& one) { one.optimizer = kAdamW; });
    add(cases, each, "untied", [](MemoryCase& one) { one.isTied = false; });
    add(cases, each, "ungrouped", [](MemoryCase& one) {
      one.keyValueHeads = 4;
      one.vocabulary = 120;
    });
  }
  return cases;
}

Cases ruledCases() {
  using enum study::RulePass;
  using enum NumberFormat;
  const auto compute = [](const std::string& match, NumberFormat format, study::RulePass pass) {
    return std::vector{rule(match, Operation::Compute, format, pass)};
  };
  return varied({
      {.name = "wideMlp", .compute = BFloat16, .rules = compute("mlp", Float32, Both)},
      {.name = "narrowLayer", .rules = compute("layers\\.1\\.", BFloat16, Both)},
      {.name = "simulatedProjections", .rules = compute("proj$", Mxfp8, Both)},
      {.name = "wideHeadByRule",
       .compute = BFloat16,
       .rules = {rule("lm_head", Operation::LmHead, Float32)}},
      {.name = "wideLoss", .rules = {rule("loss", Operation::Loss, Float64)}},
      {.name = "narrowWeights", .rules = {rule("mlp", Operation::Weights, BFloat16)}},
      {.name = "headOfOtherWeights", .rules = {rule("lm_head", Operation::Weights, BFloat16)}},
      {.name = "wideGradients",
       .compute = BFloat16,
       .rules = {rule("mlp", Operation::Gradient, Float32)}},
      {.name = "narrowBackwardMlp", .rules = compute("mlp", BFloat16, Backward)},
      {.name = "narrowForwardAttention", .rules = compute("self_attn", BFloat16, Forward)},
      {.name = "simulatedBackward", .rules = compute("proj$", Mxfp8, Backward)},
      {.name = "narrowBackward", .rules = compute("", BFloat16, Backward)},
      {.name = "wideBackward", .compute = BFloat16, .rules = compute("", Float32, Backward)},
      {.name = "wideBackwardLoss", .rules = {rule("loss", Operation::Loss, Float64, Backward)}},
  });
}

INSTANTIATE_TEST_SUITE_P(Ruled,
                         MemoryShadowBeside,
                         testing::ValuesIn(ruledCases()),
                         [](const auto& each) { return each.param.name; });

Cases otherCases() {
  using enum NumberFormat;
  const auto float8In = [](const std::string& modules, engine::Float8Kernel kernel) {
    engine::Float8Products products = float8(engine::Float8Scaling::Tensor, kernel);
    products.modules = modules;
    return products;
  };
  return varied({
      {.name = "float8Mlp", .float8 = float8In("mlp", engine::Float8Kernel::Simulated)},
      {.name = "float8Query", .float8 = float8In("q_proj", engine::Float8Kernel::Simulated)},
      {.name = "float64", .compute = Float64},
      {.name = "float64OfFloat32", .compute = Float64, .others = {{Operation::Weights, Float32}}},
      {.name = "float64Optimizer", .others = {{Operation::Optimizer, Float64}}},
      {.name = "narrowOptimizer", .others = {{Operation::Optimizer, BFloat16}}},
      {.name = "fusedKernels", .fuses = true},
      {.name = "narrowFusedKernels", .compute = BFloat16, .fuses = true},
      {.name = "fastLlm", .semantics = engine::Semantics::FastLlm},
      {.name = "narrowFastLlm", .compute = BFloat16, .semantics = engine::Semantics::FastLlm},
      {.name = "among", .company = {.among = 5, .place = 1}},
      {.name = "padded", .company = {.padding = 32}},
      {.name = "paddedRight", .company = {.padding = 32, .side = engine::BatchPlan::Side::Right}},
      {.name = "chunks", .company = {.chunkLength = 32}},
      {.name = "narrowChunks", .compute = BFloat16, .company = {.chunkLength = 32}},
      {.name = "paddedChunks", .company = {.padding = 16, .chunkLength = 32}},
      {.name = "roundedCache", .company = {.chunkLength = 32, .cacheFormat = Float8E4M3FN}},
      {.name = "steps", .company = {.prompt = 88}},
  });
}

INSTANTIATE_TEST_SUITE_P(Other,
                         MemoryShadowBeside,
                         testing::ValuesIn(otherCases()),
                         [](const auto& each) { return each.param.name; });

Cases combinedCases() {
  using enum study::RulePass;
  using enum NumberFormat;
  constexpr auto kFastLlm = engine::Semantics::FastLlm;
  const std::vector narrowKeys{rule("k_proj", Operation::Compute, BFloat16)};
  const std::vector narrowBackward{rule("layers", Operation::Compute, BFloat16, Backward)};
  engine::Float8Products kernelInMlp =
      float8(engine::Float8Scaling::Tensor, engine::Float8Kernel::ScaledMm);
  kernelInMlp.modules = "mlp";
  return shaped({
      {.name = "fastLlmApart", .rules = narrowKeys, .semantics = kFastLlm},
      {.name = "fastLlmSplit", .rules = narrowBackward, .semantics = kFastLlm},
      {.name = "fastLlmAmong", .semantics = kFastLlm, .company = {.among = 5}},
      {.name = "fastLlmScaled",
       .compute = Float16,
       .lossScale = LossScale::Fixed,
       .semantics = kFastLlm},
      {.name = "simulatedChunks", .compute = Mxfp8, .company = {.chunkLength = 40}},
      {.name = "splitChunks", .rules = narrowBackward, .company = {.chunkLength = 40}},
      {.name = "scaledChunks",
       .compute = Float16,
       .lossScale = LossScale::Sought,
       .company = {.chunkLength = 40}},
      {.name = "splitSought",
       .compute = Float16,
       .lossScale = LossScale::Sought,
       .rules = {rule("mlp", Operation::Compute, Float32, Backward)}},
      {.name = "splitPadded", .rules = narrowBackward, .company = {.padding = 20}},
      {.name = "stochasticSplit", .isStochastic = true, .rules = narrowBackward},
      {.name = "paddedSteps",
       .company = {.padding = 8, .side = engine::BatchPlan::Side::Right, .prompt = 90}},
      {.name = "roundedSteps", .company = {.prompt = 90, .cacheFormat = Float8E4M3FN}},
      {.name = "amongSteps", .company = {.among = 4, .prompt = 90}},
      {.name = "fusedChunks", .fuses = true, .company = {.chunkLength = 40}},
      {.name = "float8Rules",
       .float8 = float8(engine::Float8Scaling::Row, engine::Float8Kernel::Simulated),
       .rules = {rule("mlp", Operation::Compute, BFloat16, Backward)}},
      {.name = "documents", .documents = {40, 57}},
      {.name = "narrowDocuments", .compute = BFloat16, .documents = {40, 57}},
  });
}

INSTANTIATE_TEST_SUITE_P(Combined,
                         MemoryShadowBeside,
                         testing::ValuesIn(combinedCases()),
                         [](const auto& each) { return each.param.name; });

/// Of a vocabulary whose logits take more than the layers.
Cases lossCases() {
  using enum NumberFormat;
  constexpr auto kFastLlm = engine::Semantics::FastLlm;
  Cases all;
  for (const NumberFormat compute : {Float32, BFloat16}) {
    const std::string name(compute == Float32 ? "" : "narrow_");
    const auto of = [&](const std::string& terms, const engine::LossPlan& loss) {
      all.push_back({.name = name + terms, .compute = compute, .loss = loss});
    };
    of("zLoss", {.terms = {{.type = "z_loss"}}});
    of("grpo", {.terms = {{.type = "grpo"}}});
    of("gspo", {.terms = {{.type = "gspo"}}});
    of("crossEntropyAndZLoss", {.terms = {{}, {.type = "z_loss", .weight = 0.1}}});
    of("zLossAndCrossEntropy", {.terms = {{.type = "z_loss", .weight = 0.1}, {}}});
    of("grpoAndCrossEntropy", {.terms = {{.type = "grpo"}, {.weight = 0.5}}});
    of("scaledCrossEntropy", {.terms = {{}}, .logitsScale = 0.5});
    of("scaledZLoss", {.terms = {{.type = "z_loss"}}, .logitsScale = 0.5});
  }
  Cases cases;
  for (MemoryCase each : all) {
    each.vocabulary = 2000;
    add(cases, each, "both", [](MemoryCase&) {});
    add(cases, each, "forward", [](MemoryCase& one) { one.backward = false; });
    add(cases, each, "factor", [](MemoryCase& one) { one.lossScale = LossScale::Fixed; });
    add(cases, each, "fastLlm", [](MemoryCase& one) { one.semantics = kFastLlm; });
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Losses,
                         MemoryShadowBeside,
                         testing::ValuesIn(lossCases()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace ulp::test
