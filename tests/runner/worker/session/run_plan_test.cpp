#include "runner/worker/session/run_plan.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace ulp::worker {
namespace {

constexpr const char* kPlannedStudy = R"(
model: {path: model}
variants:
  bf16: {precision.compute_dtype: bfloat16}
  mixed:
    precision.compute_dtype: bfloat16
    precision.residual_dtype: float32
    precision.lm_head_dtype: float32
    precision.cast: module
    attention.implementation: eager
)";

using numerics::NumberFormat;
using numerics::Operation;

numerics::OperationFormats formatsOf(const PlannedRun& run) {
  return resolveFormats(run.precision.formats, {});
}

study::Study parse(const std::string& text, const std::vector<std::string>& sets = {}) {
  auto study = study::parseStudy(text, "study.yaml", sets);
  EXPECT_TRUE(study) << study.error().message();
  return *study;
}

TEST(PlanRuns, TheReferenceComesFirstInFloat32) {
  const auto runs = *planRuns(parse(kPlannedStudy), {});
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].name, "reference");
  EXPECT_EQ(formatsOf(runs[0])[Operation::Compute], NumberFormat::Float32);
  EXPECT_EQ(formatsOf(runs[0])[Operation::Residual], NumberFormat::Float32);
  EXPECT_EQ(formatsOf(runs[0])[Operation::LmHead], NumberFormat::Float32);
}

TEST(PlanRuns, DTypesThatNobodySetAreLeftToEachSite) {
  const auto runs = *planRuns(parse(kPlannedStudy), {});
  EXPECT_EQ(formatsOf(runs[1])[Operation::Compute], NumberFormat::BFloat16);
  for (const Operation follower : {Operation::Residual, Operation::LmHead, Operation::Softmax}) {
    EXPECT_FALSE(runs[1].precision.formats[follower]);
  }
  EXPECT_EQ(formatsOf(runs[1])[Operation::Residual], NumberFormat::BFloat16);
  EXPECT_EQ(formatsOf(runs[1])[Operation::Softmax], NumberFormat::Float32);
  EXPECT_EQ(runs[1].settings.at("precision.softmax_dtype").value, "float32");
  EXPECT_EQ(runs[1].precision.cast, engine::Cast::Load);
  EXPECT_EQ(runs[1].precision.attention, engine::AttentionImplementation::Sdpa);
}

TEST(PlanRuns, LeversOfPythonReachItsPlan) {
  const auto runs = *planRuns(parse(R"(
model.path: model
variants:
  a: {attention.implementation: flex_attention, python.compile: layers, python.device: cpu}
  b:
    attention.implementation: sdpa
    python.quantization: {quant_method: bitsandbytes, load_in_8bit: true}
    python.device_map: auto
    batch.chunk_length: 4
    python.cache: {backend: hqq, nbits: 8}
  c: {python.ranks: 4, python.reduce: tree, python.parallel: fsdp, python.launcher: srun}
)"),
                              {});
  const engine::PythonPlan& reference = runs[0].precision.python;
  EXPECT_EQ(reference.attention, "default");
  EXPECT_EQ(reference.compile + reference.quantization + reference.device + reference.deviceMap +
                reference.cache,
            "");
  const engine::PythonPlan& a = runs[1].precision.python;
  EXPECT_EQ(a.attention, "flex_attention");
  EXPECT_EQ(a.compile, "layers");
  EXPECT_EQ(a.compileMode, "default");
  EXPECT_EQ(a.compileBackend, "inductor");
  EXPECT_EQ(a.device, "cpu");
  const engine::PythonPlan& b = runs[2].precision.python;
  EXPECT_EQ(b.cache, R"({"backend":"hqq","nbits":8})");
  EXPECT_EQ(b.attention, "");
  EXPECT_EQ(runs[2].precision.attention, engine::AttentionImplementation::Sdpa);
  EXPECT_EQ(b.quantization, R"({"quant_method":"bitsandbytes","load_in_8bit":true})");
  EXPECT_EQ(b.deviceMap, "auto");
  EXPECT_EQ(b.ranks, 1);
  EXPECT_EQ(b.reduce, "default");
  const engine::PythonPlan& c = runs[3].precision.python;
  EXPECT_EQ(c.ranks, 4);
  EXPECT_EQ(c.reduce, "tree");
  EXPECT_EQ(c.parallel, "fsdp");
  EXPECT_EQ(c.launcher, "srun");
}

TEST(PlanRuns, EverySettingOfAVariantReachesItsPlan) {
  const auto runs = *planRuns(parse(kPlannedStudy), {});
  EXPECT_EQ(runs[2].precision.formats[Operation::Residual], NumberFormat::Float32);
  EXPECT_EQ(runs[2].precision.formats[Operation::LmHead], NumberFormat::Float32);
  EXPECT_EQ(runs[2].precision.cast, engine::Cast::Module);
  EXPECT_EQ(runs[2].precision.attention, engine::AttentionImplementation::Eager);
  EXPECT_EQ(runs[2].overrides.at("precision.cast"), "module");
  EXPECT_EQ(runs[2].overrides.size(), 5U);
}

TEST(PlanRuns, EveryDTypeKeyReachesThePlanOfItsName) {
  for (const std::string_view key : numerics::operationKeys()) {
    const std::string set = "precision." + std::string(key) + ": float8_e5m2";
    const auto runs = *planRuns(parse("model: {path: m}\nvariants: {a: {" + set + "}}\n"), {});
    for (const std::string_view other : numerics::operationKeys()) {
      const auto format = runs[1].precision.formats[*numerics::parseOperationKey(other)];
      if (other == key) {
        EXPECT_EQ(format, NumberFormat::Float8E5M2) << key;
      } else {
        EXPECT_EQ(format.has_value(), other == "compute_dtype") << key << ", " << other;
      }
    }
  }
}

TEST(PlanRuns, KernelsFollowSemantics) {
  const auto runs = *planRuns(parse(R"(
model: {path: m}
variants:
  fast: {semantics: fast_llm}
  mixed: {semantics: fast_llm, norm.implementation: transformers, mlp.implementation: fused}
)"),
                              {});
  EXPECT_EQ(runs[0].precision.norm, engine::Kernel::Transformers);
  EXPECT_EQ(runs[1].precision.semantics, engine::Semantics::FastLlm);
  EXPECT_EQ(runs[1].precision.norm, engine::Kernel::Fused);
  EXPECT_EQ(runs[1].precision.rotary, engine::Kernel::Fused);
  EXPECT_EQ(runs[1].precision.mlp, engine::Kernel::Transformers);
  EXPECT_EQ(runs[1].settings.at("precision.gradient_dtype").value, "float32");
  EXPECT_EQ(runs[2].precision.norm, engine::Kernel::Transformers);
  EXPECT_EQ(runs[2].precision.rotary, engine::Kernel::Fused);
  EXPECT_EQ(runs[2].precision.mlp, engine::Kernel::Fused);
}

TEST(PlanRuns, RulesKeepTheirOrder) {
  const auto runs = *planRuns(parse(R"(
model: {path: m}
variants:
  a:
    precision.rules:
      - {match: "mlp", compute_dtype: fp32}
      - {match: "layers\\.0\\.", pass: backward, compute_dtype: bf16, norm_output_dtype: fp64}
)"),
                              {});
  const auto& rules = runs[1].precision.rules;
  ASSERT_EQ(rules.size(), 2U);
  EXPECT_EQ(rules[0].match, "mlp");
  EXPECT_EQ(rules[0].passes, engine::PrecisionRule::Passes::Both);
  EXPECT_EQ(rules[0].formats[Operation::Compute], NumberFormat::Float32);
  EXPECT_EQ(rules[1].match, "layers\\.0\\.");
  EXPECT_EQ(rules[1].passes, engine::PrecisionRule::Passes::Backward);
  EXPECT_EQ(rules[1].formats[Operation::NormOutput], NumberFormat::Float64);
  EXPECT_FALSE(rules[1].formats[Operation::Residual]);
  EXPECT_TRUE(runs[0].precision.rules.empty());
}

TEST(PlanRuns, WhatARunAsksOfTheMachineReachesItsPlan) {
  const auto runs = *planRuns(parse(R"(
model: {path: m}
precision.rounding: stochastic
matmul.float32_precision: medium
matmul.float8: tensor
variants:
  a:
    precision.rounding_seed: 7
    precision.overflow: saturate
    matmul: {reduced_precision_reduction: false, split_k: false, float16_accumulation: true, library: cublaslt, float8: row, float8_kernel: scaled_mm, float8_gradient: float8_e4m3fn, float8_power_of_two_scales: true, float8_fast_accumulation: true, float8_modules: mlp}
    attention.reduced_precision_reduction: true
    gradient.scale: auto
    runtime: {threads: 3, deterministic: true}
    attention.implementation: sdpa_cudnn
    attention.order: [flash, cudnn, math]
)"),
                              {});
  EXPECT_EQ(runs[0].precision.rounding, numerics::RoundingMode::NearestEven);
  EXPECT_EQ(runs[0].precision.float32Products, engine::MatmulPrecision::Highest);
  EXPECT_EQ(runs[0].precision.gradientScale, 1);
  EXPECT_EQ(runs[0].precision.float8.scaling, engine::Float8Scaling::None);
  const engine::PrecisionPlan& plan = runs[1].precision;
  EXPECT_EQ(plan.rounding, numerics::RoundingMode::Stochastic);
  EXPECT_EQ(plan.roundingSeed, 7U);
  EXPECT_EQ(runs[0].precision.overflow, numerics::Overflow::Propagate);
  EXPECT_EQ(plan.overflow, numerics::Overflow::Saturate);
  EXPECT_EQ(plan.float32Products, engine::MatmulPrecision::Medium);
  EXPECT_FALSE(plan.reducedPrecisionReduction);
  EXPECT_FALSE(plan.splitK);
  EXPECT_TRUE(plan.float16Accumulation);
  EXPECT_EQ(plan.library, engine::MatmulLibrary::CublasLt);
  EXPECT_EQ(plan.float8.scaling, engine::Float8Scaling::Row);
  EXPECT_EQ(plan.float8.kernel, engine::Float8Kernel::ScaledMm);
  EXPECT_EQ(plan.float8.gradient, numerics::NumberFormat::Float8E4M3FN);
  EXPECT_TRUE(plan.float8.powerOfTwoScales);
  EXPECT_TRUE(plan.float8.fastAccumulation);
  EXPECT_EQ(plan.float8.modules, "mlp");
  EXPECT_TRUE(plan.reducedPrecisionAttention);
  EXPECT_FALSE(plan.gradientScale);
  EXPECT_EQ(plan.threads, 3);
  EXPECT_TRUE(plan.deterministic);
  EXPECT_EQ(plan.attention, engine::AttentionImplementation::SdpaCudnn);
  using enum engine::AttentionKernel;
  EXPECT_EQ(plan.attentionOrder, (std::vector{Flash, Cudnn, Math}));
  EXPECT_TRUE(runs[0].precision.attentionOrder.empty());
}

TEST(PlanRuns, MarksTheVariantsThatWereAskedFor) {
  const auto runs = *planRuns(parse(kPlannedStudy), {"mixed"});
  EXPECT_TRUE(runs[0].isChosen);
  EXPECT_FALSE(runs[1].isChosen);
  EXPECT_TRUE(runs[2].isChosen);
}

TEST(PlanRuns, NamesTheVariantsThatThereAre) {
  const auto runs = planRuns(parse(kPlannedStudy), {"bf17"});
  ASSERT_FALSE(runs);
  EXPECT_EQ(runs.error().code(), ErrorCode::NotFound);
  EXPECT_NE(runs.error().message().find("bf17"), std::string::npos);
  EXPECT_NE(runs.error().message().find("bf16, mixed"), std::string::npos);
}

report::EffectiveConfig recordedOf(const std::vector<PlannedRun>& runs) {
  report::Report report;
  report.effectiveJson = effectiveJson(runs);
  return *report::effectiveConfig(report);
}

TEST(EffectiveJson, MarksTheKeysThatFollowAnotherOne) {
  const auto recorded = recordedOf(
      *planRuns(parse(kPlannedStudy, {"variants.bf16.precision.lm_head_dtype=float32"}), {}));
  const auto bf16 =
      std::ranges::find(recorded, "bf16", &report::EffectiveConfig::value_type::first);
  ASSERT_NE(bf16, recorded.end());
  EXPECT_FALSE(bf16->second.at("precision.lm_head_dtype").follows);
  EXPECT_TRUE(bf16->second.at("precision.logits_dtype").follows);
  EXPECT_EQ(bf16->second.at("precision.logits_dtype").value, "float32");
}

TEST(FirstDifference, IsEmptyForTheSameStudy) {
  const auto runs = *planRuns(parse(kPlannedStudy), {});
  const auto recorded = recordedOf(runs);
  for (const PlannedRun& run : runs) {
    EXPECT_EQ(firstDifference(run, recorded), "");
  }
}

TEST(FirstDifference, NamesTheKeyAndBothValues) {
  const auto recorded = recordedOf(*planRuns(parse(kPlannedStudy), {}));
  const auto now = *planRuns(parse(kPlannedStudy, {"capture.level=layer"}), {});
  EXPECT_EQ(firstDifference(now[1], recorded), "capture.level was module, is now layer");
}

TEST(FirstDifference, PathsDeviceAndOutputFolderMayDiffer) {
  const auto recorded = recordedOf(*planRuns(parse(kPlannedStudy), {}));
  const auto now = *planRuns(
      parse(kPlannedStudy, {"model.path=elsewhere", "output_dir=there", "device=cpu"}), {});
  EXPECT_EQ(firstDifference(now[0], recorded), "");
}

TEST(FirstDifference, ARunWithoutARecordDiffers) {
  const auto runs = *planRuns(parse(kPlannedStudy), {});
  EXPECT_EQ(firstDifference(runs[1], {}), "its settings are not recorded");
}

TEST(FirstDifference, AKeyThatTheRecordDoesNotKnowDiffersWhereItChangesSomething) {
  auto recorded = recordedOf(*planRuns(parse(kPlannedStudy), {}));
  for (auto& [run, keys] : recorded) {
    keys.erase("capture.level");           // is set by default
    keys.erase("precision.logits_dtype");  // follows another key
  }
  const auto asByDefault = *planRuns(parse(kPlannedStudy, {"capture.level=module"}), {});
  EXPECT_EQ(firstDifference(asByDefault[1], recorded), "");
  const auto asBefore = *planRuns(parse(kPlannedStudy), {});
  EXPECT_EQ(firstDifference(asBefore[1], recorded), "") << "nobody set it";
  const auto now = *planRuns(parse(kPlannedStudy, {"capture.level=layer"}), {});
  EXPECT_EQ(firstDifference(now[1], recorded), "capture.level was not recorded, is now layer");
}

TEST(ChooseExactAttention, AReferenceOnCudaMultipliesInItsFormat) {
  auto runs =
      *planRuns(parse(std::string(kPlannedStudy) + "noise_floor: [repeat, attention]\n"), {});
  chooseExactAttention(runs, "cpu");
  EXPECT_EQ(runs[0].precision.attention, engine::AttentionImplementation::Sdpa);
  chooseExactAttention(runs, "cuda:1");
  EXPECT_EQ(runs[0].precision.attention, engine::AttentionImplementation::SdpaMath);
  EXPECT_EQ(runs[0].settings.at("attention.implementation").value, "sdpa_math");
  EXPECT_EQ(runs[0].settings.at("attention.implementation").origin, study::Origin::Run);
  EXPECT_EQ(runs[1].precision.attention, engine::AttentionImplementation::Sdpa) << "a variant";
  EXPECT_EQ(runs[3].precision.attention, engine::AttentionImplementation::SdpaMath) << "repeat";
  EXPECT_EQ(runs[4].precision.attention, engine::AttentionImplementation::Eager) << "attention";
}

TEST(ChooseExactAttention, WhatTheStudyNamesStays) {
  for (const char* reference : {"{attention.implementation: sdpa}",
                                "{attention.order: [flash, math]}",
                                "{precision.compute_dtype: bfloat16}"}) {
    auto runs = *planRuns(parse(std::string(kPlannedStudy) + "reference: " + reference + "\n"), {});
    chooseExactAttention(runs, "cuda");
    EXPECT_EQ(runs[0].precision.attention, engine::AttentionImplementation::Sdpa) << reference;
  }
}

}  // namespace
}  // namespace ulp::worker
