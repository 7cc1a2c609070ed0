#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "core/study/fast_llm/fast_llm_paths.h"
#include "core/study/reading/study.h"
#include "core/study/schema/schema.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::study {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

/// The sweep of Fast-LLM's examples/evaluate_precision, as it is spelt there.
constexpr std::string_view kSweep = R"(pretrained:
  path: HuggingFaceTB/SmolLM2-135M
  format: llama
output_dir: evaluate_precision/features
sequence_length: 2048
variants:
  bf16:
    model.distributed.compute_dtype: bfloat16
  bf16_fp32_residual:
    model.distributed.compute_dtype: bfloat16
    model.base_model.embeddings.full_precision_residual: true
  bf16_fp32_lm_head:
    model.distributed.compute_dtype: bfloat16
    model.base_model.head.fp32_lm_head: true
  bf16_max_precision:
    model.distributed.compute_dtype: bfloat16
    model.base_model.embeddings.full_precision_residual: true
    model.base_model.head.fp32_lm_head: true
)";

constexpr std::string_view kHead = "pretrained: {path: m, format: llama}\n";

Study parsedFastLlm(std::string_view yaml, const std::vector<std::string>& sets = {}) {
  auto study = parseStudy(yaml, "f.yaml", sets);
  EXPECT_TRUE(study.has_value()) << study.error().message();
  return study ? std::move(*study) : Study{};
}

std::string fastLlmErrorOf(std::string_view yaml) {
  const auto study = parseStudy(yaml, "f.yaml");
  if (study) {
    return "accepted";
  }
  EXPECT_EQ(study.error().code(), ErrorCode::InvalidArgument);
  return study.error().message();
}

std::string withHead(std::string_view rest) {
  return std::string(kHead) + std::string(rest);
}

/// A variant `v` with one setting.
std::string variantOf(std::string_view path, std::string_view value) {
  return withHead("variants: {v: {" + std::string(path) + ": " + std::string(value) + "}}");
}

std::string effective(const Study& study, std::string_view run, std::string_view key) {
  const auto settings = effectiveSettings(study, run);
  if (!settings || settings->find(key) == settings->end()) {
    ADD_FAILURE() << run << " " << key;
    return "?";
  }
  return settings->find(key)->second.value;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

bool hasKey(std::string_view key) {
  return findKey(key) != nullptr;
}

/// What a setting of a variant becomes, or that it is refused while the schema lacks its key.
void expectHonoured(std::string_view path,
                    std::string_view value,
                    std::string_view key,
                    std::string_view expected) {
  const std::string yaml = variantOf(path, value);
  if (hasKey(key)) {
    EXPECT_EQ(effective(parsedFastLlm(yaml), "v", key), expected) << path;
  } else {
    EXPECT_THAT(fastLlmErrorOf(yaml), HasSubstr("has no key '" + std::string(key) + "'"));
  }
}

TEST(FastLlmStudy, ReadsTheSweepOfTheExamples) {
  const Study study = parsedFastLlm(kSweep);
  EXPECT_EQ(study.modelPath, "HuggingFaceTB/SmolLM2-135M");
  EXPECT_EQ(study.outputDir, "evaluate_precision/features");
  EXPECT_EQ(study.inputSource, InputSource::Random);
  EXPECT_EQ(study.seed, 0U);
  EXPECT_EQ(study.microBatchSize, 1);
  EXPECT_EQ(study.text, kSweep);
  std::vector<std::string> names;
  for (const Variant& variant : study.variants) {
    names.push_back(variant.name);
  }
  EXPECT_THAT(names,
              ElementsAre("bf16", "bf16_fp32_residual", "bf16_fp32_lm_head", "bf16_max_precision"));
  const std::map<std::string, std::array<std::string, 3>> expected{
      {"reference", {"float32", "float32", "float32"}},
      {"bf16", {"bfloat16", "bfloat16", "bfloat16"}},
      {"bf16_fp32_residual", {"bfloat16", "float32", "bfloat16"}},
      {"bf16_fp32_lm_head", {"bfloat16", "bfloat16", "float32"}},
      {"bf16_max_precision", {"bfloat16", "float32", "float32"}},
  };
  for (const auto& [run, dtypes] : expected) {
    EXPECT_EQ(effective(study, run, "precision.compute_dtype"), dtypes[0]) << run;
    EXPECT_EQ(effective(study, run, "precision.residual_dtype"), dtypes[1]) << run;
    EXPECT_EQ(effective(study, run, "precision.lm_head_dtype"), dtypes[2]) << run;
    if (hasKey("semantics")) {
      EXPECT_EQ(effective(study, run, "semantics"), "fast_llm") << run;
    }
  }
}

TEST(FastLlmStudy, TokensAreOneMoreThanPredictions) {
  EXPECT_EQ(parsedFastLlm(kSweep).sequenceLength, 2047);
  EXPECT_EQ(parsedFastLlm(kHead).sequenceLength, 2047) << "the tool's default";
  EXPECT_EQ(parsedFastLlm(withHead("sequence_length: 129")).sequenceLength, 128);
  EXPECT_THAT(fastLlmErrorOf(withHead("sequence_length: 1")),
              HasSubstr("f.yaml:2:18: 'sequence_length' must be a whole number of at least 2"));
  EXPECT_THAT(fastLlmErrorOf(withHead("sequence_length: 12.5")),
              HasSubstr("must be a whole number"));
}

TEST(FastLlmStudy, IsRecognisedByItsKeys) {
  EXPECT_EQ(parsedFastLlm("pretrained.path: m").modelPath, "m");
  EXPECT_THAT(fastLlmErrorOf("variants: {v: {model.distributed.compute_dtype: bf16}}"),
              HasSubstr("'pretrained.path' is missing"));
  EXPECT_THAT(fastLlmErrorOf("model: {base_model: {hidden_size: 64}}"),
              HasSubstr("'pretrained.path' is missing"));
  EXPECT_EQ(parsedFastLlm("model: {path: m, weights: random}").modelPath, "m");
}

TEST(FastLlmStudy, NestedAndDottedSpellingsAreTheSame) {
  const Study study = parsedFastLlm(withHead(
      "model: {distributed: {use_cuda: false}}\n"
      "variants: {v: {model: {distributed: {compute_dtype: bf16}, base_model.head.fp32_lm_head: "
      "True}}}"));
  EXPECT_EQ(study.device, "cpu");
  EXPECT_EQ(effective(study, "v", "precision.compute_dtype"), "bfloat16");
  EXPECT_EQ(effective(study, "v", "precision.lm_head_dtype"), "float32");
}

TEST(FastLlmStudy, TheToolReplacesTheDtypeOutsideOfVariants) {
  const Study study = parsedFastLlm(
      withHead("model.distributed.compute_dtype: bfloat16\nvariants: {none: {}, half: "
               "{model.distributed.compute_dtype: float16}}"));
  EXPECT_EQ(effective(study, "reference", "precision.compute_dtype"), "float32");
  EXPECT_EQ(effective(study, "none", "precision.compute_dtype"), "float32");
  EXPECT_EQ(effective(study, "half", "precision.compute_dtype"), "float16");
  EXPECT_THAT(joined(study.warnings), HasSubstr("model.distributed.compute_dtype: has no effect"));
}

TEST(FastLlmStudy, VariantsUndoWhatTheModelSays) {
  const Study study = parsedFastLlm(withHead(R"(
model: {base_model: {embeddings: {full_precision_residual: true}}}
variants:
  kept: {model.distributed.compute_dtype: bfloat16}
  undone:
    model.distributed.compute_dtype: bfloat16
    model.base_model.embeddings.full_precision_residual: false
)"));
  EXPECT_EQ(effective(study, "kept", "precision.residual_dtype"), "float32");
  EXPECT_EQ(effective(study, "undone", "precision.residual_dtype"), "bfloat16");
  EXPECT_EQ(effective(study, "reference", "precision.residual_dtype"), "float32");
}

TEST(FastLlmStudy, EveryKnobIsHonoured) {
  const std::string block = "model.base_model.decoder.block.";
  expectHonoured("model.distributed.compute_dtype", "fp16", "precision.compute_dtype", "float16");
  expectHonoured(
      "model.base_model.head.fp32_lm_head", "true", "precision.lm_head_dtype", "float32");
  expectHonoured(
      "model.multi_stage.full_precision_gradients", "true", "precision.gradient_dtype", "float32");
  expectHonoured(block + "mixer.implementation", "backup", "attention.implementation", "eager");
  expectHonoured(block + "mixer.implementation", "auto", "attention.implementation", "sdpa");
  expectHonoured(block + "mixer.implementation", "sdpa_dense", "attention.implementation", "sdpa");
  expectHonoured(block + "normalization.implementation", "torch", "norm.implementation", "fused");
  expectHonoured("_torch_matmul_precision", "medium", "matmul.float32_precision", "medium");
  expectHonoured("_torch_backend.cuda.matmul.allow_bf16_reduced_precision_reduction",
                 "true",
                 "matmul.reduced_precision_reduction",
                 "true");
  expectHonoured("optimizer.gradient_scaler.constant", "1024", "gradient.scale", "1024");
}

TEST(FastLlmStudy, GradientBuffersOfTheComputeDtypeFollowTheRun) {
  const std::string yaml = withHead(
      "model.multi_stage.full_precision_gradients: false\n"
      "variants: {v: {model.distributed.compute_dtype: bfloat16}}");
  if (hasKey("precision.gradient_dtype")) {
    EXPECT_EQ(effective(parsedFastLlm(yaml), "v", "precision.gradient_dtype"), "bfloat16");
  } else {
    EXPECT_THAT(fastLlmErrorOf(yaml), HasSubstr("has no key 'precision.gradient_dtype'"));
  }
}

TEST(FastLlmStudy, HalfPrecisionGetsTheScaleThatTheToolCalibrates) {
  if (!hasKey("gradient.scale")) {
    return;
  }
  const Study study = parsedFastLlm(withHead(
      "variants: {half: {model.distributed.compute_dtype: fp16}, fixed: "
      "{model.distributed.compute_dtype: fp16, optimizer.gradient_scaler.constant: 8}, bf16: "
      "{model.distributed.compute_dtype: bf16}}"));
  EXPECT_EQ(effective(study, "half", "gradient.scale"), "auto");
  EXPECT_EQ(effective(study, "fixed", "gradient.scale"), "8");
  EXPECT_EQ(effective(study, "bf16", "gradient.scale"), "1");
}

TEST(FastLlmStudy, ProductsAreReducedInFloat32UnlessTheFileSaysOtherwise) {
  const std::string path = "_torch_backend.cuda.matmul.allow_bf16_reduced_precision_reduction";
  const std::string key = "matmul.reduced_precision_reduction";
  if (!hasKey(key)) {
    EXPECT_THAT(fastLlmErrorOf(withHead(path + ": true")), HasSubstr("has no key"));
    return;
  }
  EXPECT_EQ(effective(parsedFastLlm(kSweep), "bf16", key), "false");
  EXPECT_EQ(effective(parsedFastLlm(withHead(path + ": true\nvariants: {v: {}}")), "v", key),
            "true");
}

TEST(FastLlmStudy, RandomWeightsNeedTheArchitectureAlone) {
  const Study study = parsedFastLlm(
      "pretrained: {path: m, model_weights: false}\n"
      "model: {base_model: {hidden_size: 64, decoder: {num_blocks: 2, block: {mixer: {heads: 4, "
      "rotary: {type: default, theta: 1e4}}, mlp: {activation: gelu}}}}}");
  EXPECT_TRUE(study.randomWeights);
  EXPECT_EQ(study.modelSeed, 1234U) << "the tool's default";
  EXPECT_EQ(study.architectureJson,
            R"({"hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,)"
            R"("rope_theta":10000.0,"hidden_act":"gelu_pytorch_tanh"})");
  EXPECT_EQ(parsedFastLlm("pretrained: {path: m, model_weights: false}\nmodel.distributed.seed: 7")
                .modelSeed,
            7U);
}

TEST(FastLlmStudy, WhatChangesNoNumberIsAcceptedWithANote) {
  const Study study = parsedFastLlm(withHead(R"(
num_samples: 8192
micro_batch_size: 1
data_path: nowhere/gspo_data
variants:
  v:
    model.base_model.decoder.block.mlp.recompute_level: full
    model.base_model.decoder.block.mixer.dropout: 0.0
    model.base_model.head.cross_entropy_splits: 1
    model.distributed.backend: gloo
    run.torch_dynamo_enable: false
    optimizer.learning_rate.base: 0.1
    schedule.throttle_cpu: false
    model.base_model.decoder.block.mixer.query_layer.weight.lr_scale: null
)"));
  const std::string notes = joined(study.warnings);
  for (const std::string_view path : {"num_samples",
                                      "micro_batch_size",
                                      "data_path",
                                      "mlp.recompute_level",
                                      "mixer.dropout",
                                      "cross_entropy_splits",
                                      "model.distributed.backend",
                                      "run.torch_dynamo_enable",
                                      "optimizer.learning_rate.base",
                                      "schedule.throttle_cpu"}) {
    EXPECT_THAT(notes, HasSubstr(std::string(path)));
  }
  EXPECT_THAT(notes, HasSubstr("num_samples: no effect; every element is compared"));
}

TEST(FastLlmStudy, ForwardOnlyLeavesTheBackwardPassOut) {
  EXPECT_FALSE(parsedFastLlm(withHead("forward_only: true")).captureBackward);
  EXPECT_TRUE(parsedFastLlm(withHead("forward_only: false")).captureBackward);
  EXPECT_TRUE(parsedFastLlm(withHead("")).captureBackward);
}

TEST(FastLlmStudy, SettingsOfTheOptimizerHoldForTheWholeStudy) {
  const std::string yaml = withHead(
      "optimizer: {learning_rate: {base: 0.5}, beta_1: 0.8, beta_2: 0.99, epsilon: 1e-6, "
      "weight_decay: 0.1}\nvariants: {v: {optimizer.beta_2: 0.95}}");
  const auto study = parseStudy(yaml, "s.yaml", {"optimizer.type=adamw"});
  ASSERT_TRUE(study.has_value()) << study.error().message();
  EXPECT_EQ(study->optimizer.learningRate, 0.5);
  EXPECT_EQ(study->optimizer.beta1, 0.8);
  EXPECT_EQ(study->optimizer.beta2, 0.99);
  EXPECT_EQ(study->optimizer.epsilon, 1e-6);
  EXPECT_EQ(study->optimizer.weightDecay, 0.1);
  EXPECT_THAT(joined(study->warnings), HasSubstr("optimizer.beta_2: no effect"));
}

TEST(FastLlmStudy, RefusalsSayWhy) {
  const auto reason = [](std::string_view path, std::string_view value) {
    return fastLlmErrorOf(variantOf(path, value));
  };
  const std::string block = "model.base_model.decoder.block.";
  EXPECT_THAT(reason(block + "mixer.dropout", "0.1"),
              AllOf(HasSubstr("must be 0, not '0.1'"), HasSubstr("masks differ")));
  EXPECT_THAT(reason("model.distributed.optimization_dtype", "bfloat16"),
              HasSubstr("Fast-LLM itself fails"));
  EXPECT_THAT(reason("model.distributed.tensor_parallel", "2"), HasSubstr("one process"));
  EXPECT_THAT(reason("model.base_model.head.cross_entropy_splits", "4"), HasSubstr("must be 1"));
  EXPECT_THAT(reason(block + "normalization.implementation", "triton"),
              HasSubstr("must be auto or torch, not 'triton'"));
  EXPECT_THAT(reason("schedule.micro_batch_splits", "2"), HasSubstr("seen whole"));
  EXPECT_THAT(reason("model.base_model.head.final_logit_softcap", "30"), HasSubstr("checkpoint"));
  EXPECT_THAT(reason("data.micro_batch_size", "4"), HasSubstr("the input is that of the study"));
  EXPECT_THAT(reason("_torch_backend.cuda.matmul.allow_fp16_accumulation", "true"),
              HasSubstr("no key of Ulpscope"));
  EXPECT_THAT(reason("model.base_model.hidden_size", "64"), HasSubstr("holds for the whole study"));
  EXPECT_THAT(reason("model.distributed.use_cuda", "false"),
              HasSubstr("holds for the whole study"));
  EXPECT_THAT(reason("model.base_model.head.losses.a.type", "gspo"),
              HasSubstr("holds for the whole study"));
  EXPECT_THAT(fastLlmErrorOf(withHead("micro_batch_size: 4")), HasSubstr("it counts tokens"));
  EXPECT_EQ(fastLlmErrorOf(withHead("micro_batch_size: 512\nsequence_length: 512")), "accepted");
}

TEST(FastLlmStudy, ErrorsNameThePlaceAndTheNearestPath) {
  const std::string error = fastLlmErrorOf(
      "pretrained: {path: m}\n"
      "sequence_lenght: 12\n"
      "variants:\n"
      "  a: {model.distributed.compute_dtype: bfloat17}\n"
      "  b:\n"
      "    model.base_model.head.fp32_lm_haed: true\n"
      "    model.base_model.head.fp32_lm_head: maybe\n");
  EXPECT_THAT(error,
              HasSubstr("f.yaml:2:1: unknown path 'sequence_lenght' of a Fast-LLM evaluation; did "
                        "you mean 'sequence_length'?"));
  EXPECT_THAT(error, HasSubstr("f.yaml:4:40: 'model.distributed.compute_dtype' in variant 'a'"));
  EXPECT_THAT(error,
              HasSubstr("f.yaml:6:5: unknown path 'model.base_model.head.fp32_lm_haed' in variant "
                        "'b' of a Fast-LLM evaluation; did you mean "
                        "'model.base_model.head.fp32_lm_head'?"));
  EXPECT_THAT(error,
              HasSubstr("f.yaml:7:41: 'model.base_model.head.fp32_lm_head' in variant 'b' "
                        "must be true or false, not 'maybe'"));
}

TEST(FastLlmStudy, TheReferenceIsNoVariant) {
  EXPECT_THAT(fastLlmErrorOf(withHead("variants: {reference: {}}")), HasSubstr("cannot be called"));
  EXPECT_THAT(fastLlmErrorOf(withHead("variants: {a: {}, a: {}}")), HasSubstr("defined twice"));
}

TEST(FastLlmStudy, CommandLineUsesTheKeysOfUlpscope) {
  const Study study = parsedFastLlm(kSweep, {"device=cpu", "input.sequence_length=16"});
  EXPECT_EQ(study.device, "cpu");
  EXPECT_EQ(study.sequenceLength, 16);
}

TEST(FastLlmStudy, DataOfItsOwnFormatIsRefused) {
  const test::TempDir folder;
  std::ofstream(folder.path() / "fast_llm_config.yaml") << "type: memmap\n";
  EXPECT_THAT(fastLlmErrorOf(withHead("data_path: " + folder.path().string())),
              HasSubstr("memory-mapped data sets"));
}

TEST(FastLlmStudy, TextAndDataSetsAreInputs) {
  const test::TempDir folder;
  const std::string file = (folder.path() / "file.jsonl").string();
  std::ofstream(file) << "{}\n";
  const Key& source = *findKey("input.source");
  for (const auto& [path, name] :
       {std::pair<std::string, std::string>{"input_text_file", "text"},
        std::pair<std::string, std::string>{"input_dataset", "dataset"}}) {
    const std::string yaml = withHead(path + ": " + file);
    if (std::ranges::find(source.choices, name) == source.choices.end()) {
      EXPECT_THAT(fastLlmErrorOf(yaml), HasSubstr("has no input.source: " + name));
      continue;
    }
    const Study study = parsedFastLlm(yaml);
    EXPECT_EQ(study.settings.at("input.source").value, name);
    EXPECT_EQ(study.settings.at("input.path").value, file);
    EXPECT_EQ(study.chatTemplate, name == "dataset") << "as the tool does";
    EXPECT_THAT(fastLlmErrorOf(withHead(path + ": HuggingFaceH4/MATH-500")),
                HasSubstr("'" + path + "': names no local file"));
  }
}

TEST(FastLlmStudy, CountsSequencesOfDataSetsAlone) {
  const Study study = parsedFastLlm(withHead("num_sequences: 256"));
  EXPECT_EQ(study.microBatchSize, 1);
  EXPECT_THAT(study.warnings, Contains("num_sequences: no effect without input_dataset"));
}

TEST(FastLlmPaths, EveryPathOfAConfigurationIsKnown) {
  std::ifstream stream(test::fixture("fastllm/config_fields_smollm2.tsv"));
  std::string line;
  std::getline(stream, line);
  int paths = 0;
  while (std::getline(stream, line)) {
    const std::string path = line.substr(0, line.find('\t'));
    if (path.ends_with("_registry")) {
      continue;
    }
    ++paths;
    EXPECT_NE(findFastLlmPath(path), nullptr) << path;
  }
  EXPECT_GT(paths, 200);
}

TEST(FastLlmPaths, StandInTheManualAsTheyAre) {
  const auto manual = readTextFile(std::string(ULP_SOURCE_DIR) + "/docs/fast_llm.md");
  ASSERT_TRUE(manual.has_value()) << manual.error().message();
  EXPECT_THAT(*manual, HasSubstr(fastLlmMarkdown()))
      << "paste the output of `ulpscope-cli schema --format fast-llm` into docs/fast_llm.md";
}

TEST(FastLlmPaths, SayWhatBecomesOfThem) {
  for (const FastLlmPath& row : fastLlmPaths()) {
    const bool translated =
        row.treatment == FastLlmTreatment::Honoured || row.treatment == FastLlmTreatment::Loss;
    EXPECT_EQ(row.target.empty(), !translated) << row.path;
    EXPECT_TRUE(translated || !row.reason.empty()) << row.path;
    const bool becomesKey = translated && row.value != FastLlmValue::Architecture;
    EXPECT_TRUE(!becomesKey || findKey(row.target) != nullptr) << row.path;
  }
}

TEST(FastLlmPaths, WildcardsStandForParts) {
  const auto rowOf = [](std::string_view path) {
    const FastLlmPath* row = findFastLlmPath(path);
    return row == nullptr ? std::string_view("none") : row->path;
  };
  EXPECT_EQ(rowOf("model.multi_stage.debug_layer_outputs"), "model.multi_stage.debug_*");
  EXPECT_EQ(rowOf("model.base_model.decoder.block.mlp.layer_1.lr_scale"), "model.**.lr_scale");
  EXPECT_EQ(rowOf("model.lr_scale"), "model.**.lr_scale");
  EXPECT_EQ(rowOf("run.tensor_logs.save"), "run.**");
  EXPECT_EQ(rowOf("model.base_model.head.losses.my_loss.type"),
            "model.base_model.head.losses.*.type");
  EXPECT_EQ(rowOf("model.base_model.hidden_sizes"), "none");
  EXPECT_EQ(rowOf("model.base_model.head"), "none");
}

}  // namespace
}  // namespace ulp::study
