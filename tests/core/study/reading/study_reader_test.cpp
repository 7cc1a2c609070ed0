#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/study/reading/study.h"
#include "tests/support/machine/long_file.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kFull = R"(# the whole file
model:
  path: models/smol
  weights: random
  seed: 7
  architecture: {num_hidden_layers: 2, tie_word_embeddings: false}
input:
  source: random
  sequence_length: 64
  micro_batch_size: 2
  seed: 5
loss: {type: cross_entropy}
attention.implementation: eager
reference: {precision.compute_dtype: float64}
variants:
  bf16: {precision.compute_dtype: bf16}
  bf16_fp32_head:
    precision:
      compute_dtype: bfloat16
      lm_head_dtype: float32
  same:
capture: {level: layer, tensors: sampled, parameter_gradients: false, include: [mlp], exclude: ['\.bias$']}
device: cuda:1
output_dir: out
)";

std::string errorOf(std::string_view yaml, const std::vector<std::string>& sets = {}) {
  const auto study = parseStudy(yaml, "s.yaml", sets);
  if (study) {
    return "accepted";
  }
  EXPECT_EQ(study.error().code(), ErrorCode::InvalidArgument);
  return study.error().message();
}

Study parsed(std::string_view yaml, const std::vector<std::string>& sets = {}) {
  auto study = parseStudy(yaml, "s.yaml", sets);
  EXPECT_TRUE(study.has_value()) << study.error().message();
  return study ? std::move(*study) : Study{};
}

TEST(StudyReader, ReadsEveryKey) {
  const Study study = parsed(kFull);
  EXPECT_EQ(study.text, kFull);
  EXPECT_EQ(study.modelPath, "models/smol");
  EXPECT_TRUE(study.randomWeights);
  EXPECT_EQ(study.modelSeed, 7U);
  EXPECT_EQ(study.architectureJson, R"({"num_hidden_layers":2,"tie_word_embeddings":false})");
  EXPECT_EQ(study.sequenceLength, 64);
  EXPECT_EQ(study.microBatchSize, 2);
  EXPECT_EQ(study.seed, 5U);
  EXPECT_EQ(study.captureLevel, Level::Layer);
  EXPECT_EQ(study.captureTensors, TensorStorage::Sampled);
  EXPECT_FALSE(study.captureParameterGradients);
  EXPECT_THAT(study.include, ElementsAre("mlp"));
  EXPECT_THAT(study.exclude, ElementsAre("\\.bias$"));
  EXPECT_EQ(study.device, "cuda:1");
  EXPECT_EQ(study.outputDir, "out");
  EXPECT_TRUE(study.warnings.empty());
  ASSERT_EQ(study.variants.size(), 3U);
  EXPECT_EQ(study.variants[1].name, "bf16_fp32_head");
  ASSERT_EQ(study.variants[1].overrides.size(), 2U);
  EXPECT_EQ(study.variants[1].overrides[1].first, "precision.lm_head_dtype");
  EXPECT_TRUE(study.variants[2].overrides.empty());
}

TEST(StudyReader, FillsInTheDefaults) {
  const Study study = parsed("model.path: m");
  EXPECT_FALSE(study.randomWeights);
  EXPECT_EQ(study.architectureJson, "{}");
  EXPECT_EQ(study.inputSource, InputSource::Random);
  EXPECT_EQ(study.sequenceLength, 128);
  EXPECT_EQ(study.microBatchSize, 1);
  EXPECT_EQ(study.captureLevel, Level::Module);
  EXPECT_EQ(study.captureTensors, TensorStorage::Full);
  EXPECT_TRUE(study.captureParameterGradients);
  EXPECT_EQ(study.device, "auto");
  EXPECT_EQ(study.outputDir, "runs/study");
}

TEST(StudyReader, RemembersWhoSetAKeyAndWhere) {
  const Study study = parsed("model:\n  path: m\n", {"input.seed=3"});
  const Setting& path = study.settings.find("model.path")->second;
  EXPECT_EQ(path.origin, Origin::Study);
  EXPECT_EQ(path.position.line, 2);
  EXPECT_EQ(path.position.column, 9);
  EXPECT_EQ(study.settings.find("input.seed")->second.origin, Origin::CommandLine);
  EXPECT_EQ(study.settings.find("device")->second.origin, Origin::Default);
}

TEST(StudyReader, TakesAWholeVariantByItsPath) {
  const Study study =
      parsed("model: {path: m}\nvariants:\n  a: {precision.residual_dtype: float32}\n",
             {"variants.f8={precision.compute_dtype: bfloat16}",
              "variants.a={precision.compute_dtype: float16}"});
  ASSERT_EQ(study.variants.size(), 2U);
  EXPECT_EQ(study.variants[0].overrides.size(), 2U);
  EXPECT_EQ(study.variants[1].name, "f8");
  ASSERT_EQ(study.variants[1].overrides.size(), 1U);
  EXPECT_EQ(study.variants[1].overrides[0].second.value, "bfloat16");
  EXPECT_EQ(errorOf("model.path: m\n", {"variants.a.b={precision.compute_dtype: bfloat16}"}),
            "--set variants.a.b={precision.compute_dtype: bfloat16}: unknown key 'variants.a.b'; "
            "`ulpscope-cli schema` lists the keys");
}

TEST(StudyReader, SuggestsTheNearestKey) {
  EXPECT_EQ(errorOf("model.path: m\nvariants:\n  a:\n    precision.compute_dtyp: bf16\n"),
            "s.yaml:4:5: unknown key 'precision.compute_dtyp' in variant 'a'; did you mean "
            "'precision.compute_dtype'?");
  EXPECT_EQ(errorOf("model.path: m\nprecison: {compute_dtype: bf16}\n"),
            "s.yaml:2:1: unknown key 'precison'; did you mean 'precision'?");
  EXPECT_EQ(errorOf("model.path: m\nzebra: 1\n"),
            "s.yaml:2:1: unknown key 'zebra'; `ulpscope-cli schema` lists the keys");
}

TEST(StudyReader, ReportsAllErrorsInTheOrderOfTheFile) {
  EXPECT_EQ(
      errorOf("input: {sequence_length: 1.5, seed: -1}\nmodle: {path: m}\ndevice: tpu\n",
              {"capture.level=tensor"}),
      "s.yaml:1:26: 'input.sequence_length' must be a whole number, not '1.5'\n"
      "s.yaml:1:37: 'input.seed' must be at least 0, not '-1'\n"
      "s.yaml:2:1: unknown key 'modle'; did you mean 'model'?\n"
      "s.yaml:3:9: 'device' must be auto, cpu, cuda, cuda:N or cuda:all, or several like "
      "cuda:0,cuda:1 (variants) or cuda:0+cuda:1 (layers), not 'tpu'\n"
      "--set capture.level=tensor: 'capture.level' must be one of layer, module, op, not 'tensor'");
}

TEST(StudyReader, RefusesAKeyThatIsSetTwice) {
  EXPECT_EQ(errorOf("model.path: m\nmodel:\n  path: n\n"),
            "s.yaml:3:3: 'model.path' is set twice, first in line 1");
  EXPECT_EQ(
      errorOf("model.path: m\nvariants:\n  a: {precision.cast: load, precision: {cast: load}}\n"),
      "s.yaml:3:41: 'precision.cast' is set twice, first in line 3");
}

TEST(StudyReader, RefusesBadVariantNames) {
  EXPECT_EQ(errorOf("model.path: m\nvariants:\n  a: {}\n  a: {}\n"),
            "s.yaml:4:3: variant 'a' is defined twice, first in line 3");
  EXPECT_THAT(errorOf("model.path: m\nvariants:\n  reference: {}\n"),
              HasSubstr("s.yaml:3:3: a variant cannot be called 'reference'"));
  for (const std::string_view name : {"a/b", "..", "' a'", R"("a\n")", "''"}) {
    EXPECT_THAT(errorOf("model.path: m\nvariants:\n  " + std::string(name) + ": {}\n"),
                HasSubstr("cannot name a variant"))
        << name;
  }
}

TEST(StudyReader, ExplainsWhyAVariantCannotSetAStudyKey) {
  EXPECT_EQ(errorOf("model.path: m\nvariants:\n  a:\n    input.seed: 1\n"),
            "s.yaml:4:5: 'input.seed' holds for the whole study and cannot be set in variant 'a'; "
            "runs differ in formats, kernels, batches and their settings only");
  EXPECT_THAT(errorOf("model.path: m\nreference: {device: cpu}\n"), HasSubstr("in the reference"));
}

TEST(StudyReader, RefusesWhatIsNotAMap) {
  EXPECT_THAT(errorOf(""), HasSubstr("s.yaml: the study is empty"));
  EXPECT_THAT(errorOf("# only a comment\n"), HasSubstr("s.yaml: the study is empty"));
  EXPECT_THAT(errorOf("[1, 2]"), HasSubstr("a study is a map"));
  EXPECT_EQ(errorOf("model: smol\n"),
            "s.yaml:1:8: 'model' is a section and takes keys, not a value");
  EXPECT_THAT(errorOf("model.path: m\nvariants: [a]\n"), HasSubstr("'variants' must be a map"));
  EXPECT_THAT(errorOf("model.path: m\nvariants: {a: bf16}\n"),
              HasSubstr("variant 'a' must be a map"));
  EXPECT_THAT(errorOf("model.path: m\nreference: fp64\n"),
              HasSubstr("the reference must be a map"));
}

TEST(StudyReader, WantsAModel) {
  EXPECT_EQ(errorOf("device: cpu\n"),
            "s.yaml: 'model.path' is missing; it names the model to evaluate");
  EXPECT_EQ(errorOf("model:\n"), "s.yaml: 'model.path' is missing; it names the model to evaluate");
}

TEST(StudyReader, WantsAFileForTokens) {
  EXPECT_EQ(errorOf("model.path: m\ninput:\n  source: tokens\n"),
            "s.yaml:3:11: input.source 'tokens' needs input.path, the file of token ids");
}

TEST(StudyReader, LeavesTheShapeOfTokensToTheirFile) {
  const Study open = parsed("model.path: m\ninput: {source: tokens, path: ids.npy}\n");
  EXPECT_EQ(open.inputSource, InputSource::Tokens);
  EXPECT_EQ(open.inputPath, "ids.npy");
  EXPECT_EQ(open.sequenceLength, 0);
  EXPECT_EQ(open.microBatchSize, 0);
  const Study fixed =
      parsed("model.path: m\ninput: {source: tokens, path: ids.npy, sequence_length: 9}\n");
  EXPECT_EQ(fixed.sequenceLength, 9);
}

TEST(StudyReader, ReadsTextInputs) {
  const Study text = parsed("model.path: m\ninput: {source: text, path: a.txt, tokenizer: t}\n");
  EXPECT_EQ(text.inputSource, InputSource::Text);
  EXPECT_EQ(text.tokenizerPath, "t");
  EXPECT_EQ(text.sequenceLength, 128);
  const Study dataset = parsed(
      "model.path: m\ninput: {source: dataset, path: a.jsonl, field: body, micro_batch_size: 2, "
      "sequences: 6}\n");
  EXPECT_EQ(dataset.inputSource, InputSource::Dataset);
  EXPECT_EQ(dataset.inputField, "body");
  EXPECT_EQ(dataset.sequences, 6);
  EXPECT_TRUE(dataset.warnings.empty());
}

TEST(StudyReader, TheFieldOfADatasetFollowsTheChatTemplate) {
  const std::string dataset = "model.path: m\ninput.source: dataset\ninput.path: a.jsonl\n";
  EXPECT_EQ(parsed(dataset).inputField, "text");
  EXPECT_FALSE(parsed(dataset).chatTemplate);
  const Study chat = parsed(dataset + "input.chat_template: true\n");
  EXPECT_EQ(chat.inputField, "messages");
  EXPECT_TRUE(chat.chatTemplate);
  EXPECT_TRUE(chat.warnings.empty());
  EXPECT_EQ(parsed(dataset + "input: {chat_template: true, field: turns}\n").inputField, "turns");
  EXPECT_THAT(parsed("model.path: m\ninput.chat_template: true\n").warnings,
              ElementsAre("input.chat_template has no effect: input.source is not dataset"));
}

TEST(StudyReader, PathsThatAreNotSetStayEmptyWhereverTheStudyLies) {
  const test::TempDir folder;
  folder.write("s.yaml", "model.path: m\ninput: {source: text, path: a.txt}\n");
  const auto study = loadStudy(folder / "s.yaml");
  ASSERT_TRUE(study) << study.error().message();
  EXPECT_TRUE(study->tokenizerPath.empty()) << "the model's own tokenizer";
  EXPECT_TRUE(study->loss.path.empty());
}

TEST(StudyReader, RefusesTextInputsThatCannotBeMade) {
  EXPECT_EQ(errorOf("model.path: m\ninput:\n  source: text\n"),
            "s.yaml:3:11: input.source 'text' needs input.path, the file of text");
  EXPECT_EQ(errorOf("model.path: m\ninput: {sequences: 3, micro_batch_size: 2}\n"),
            "s.yaml:2:20: input.sequences 3 is not a multiple of input.micro_batch_size 2");
}

TEST(StudyReader, WarnsOfSettingsWithoutEffect) {
  const Study study = parsed("model: {path: m, seed: 1}\ninput: {path: ids.npy}\n");
  EXPECT_THAT(study.warnings,
              ElementsAre("input.path has no effect: input.source is random",
                          "model.seed has no effect: the weights are pretrained"));
}

TEST(StudyReader, LetsTheCommandLineReplaceALineOfTheFile) {
  const Study study = parsed(kFull,
                             {"input.seed=9",
                              "capture.include=[attn, '11']",
                              "variants.bf16.precision.compute_dtype=float16",
                              "variants.new.name.precision.cast=module",
                              "reference.precision.compute_dtype=float32"});
  EXPECT_EQ(study.seed, 9U);
  EXPECT_THAT(study.include, ElementsAre("attn", "11"));
  EXPECT_EQ(study.variants[0].overrides[0].second.value, "float16");
  EXPECT_EQ(study.variants[0].overrides[0].second.origin, Origin::CommandLine);
  ASSERT_EQ(study.variants.size(), 4U);
  EXPECT_EQ(study.variants[3].name, "new.name");
  EXPECT_EQ(study.reference[0].second.value, "float32");
}

TEST(StudyReader, TakesTheLastOfTwoSets) {
  EXPECT_EQ(parsed("model.path: m", {"input.seed=1", "input.seed=2"}).seed, 2U);
}

TEST(StudyReader, NamesTheSetThatIsWrong) {
  EXPECT_EQ(errorOf("model.path: m", {"precision.compute_dtype"}),
            "--set precision.compute_dtype: expected KEY=VALUE, for example precision.cast=module");
  EXPECT_EQ(errorOf("model.path: m", {"=bf16"}),
            "--set =bf16: expected KEY=VALUE, for example precision.cast=module");
  EXPECT_THAT(errorOf("model.path: m", {"k=bf16"}),
              testing::StartsWith("--set k=bf16: unknown key 'k'"));
  EXPECT_EQ(errorOf("model.path: m", {"precision.compute_dtyp=bf16"}),
            "--set precision.compute_dtyp=bf16: unknown key 'precision.compute_dtyp'; did you mean "
            "'precision.compute_dtype'?");
  EXPECT_EQ(errorOf("model.path: m", {"variants.a.precision.compute_dtyp=bf16"}),
            "--set variants.a.precision.compute_dtyp=bf16: unknown key "
            "'variants.a.precision.compute_dtyp'; did you mean 'precision.compute_dtype'?");
  EXPECT_THAT(errorOf("model.path: m", {"variants.reference.precision.cast=load"}),
              HasSubstr("cannot be called 'reference'"));
}

TEST(StudyReader, AcceptsDottedRunsInTheFile) {
  const Study study = parsed(
      "model.path: m\nreference.precision.compute_dtype: float64\n"
      "variants.half.precision.compute_dtype: half\n");
  ASSERT_EQ(study.reference.size(), 1U);
  EXPECT_EQ(study.reference[0].second.value, "float64");
  ASSERT_EQ(study.variants.size(), 1U);
  EXPECT_EQ(study.variants[0].overrides[0].second.value, "float16");
}

TEST(StudyReader, LoadsAFileAndNamesItInMessages) {
  const test::TempDir dir;
  const auto path = dir.write("my_study.yaml", "model: {path: m}\n");
  const auto study = loadStudy(path);
  ASSERT_TRUE(study.has_value()) << study.error().message();
  EXPECT_EQ(study->file, path);
  EXPECT_EQ(study->outputDir, "runs/my_study");

  const auto bad = loadStudy(dir.write("bad.yaml", "model: {path: m}\nx: 1\n"));
  ASSERT_FALSE(bad.has_value());
  EXPECT_THAT(bad.error().message(), HasSubstr("bad.yaml:2:1: unknown key 'x'"));

  const auto missing = loadStudy(dir / "none.yaml");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(missing.error().message(), HasSubstr("none.yaml"));
}

TEST(StudyReader, FindsTokensBesideTheStudy) {
  const test::TempDir dir;
  dir.write("ids.npy", "");
  const auto study =
      loadStudy(dir.write("s.yaml", "model.path: m\ninput: {source: tokens, path: ids.npy}\n"));
  ASSERT_TRUE(study.has_value());
  EXPECT_EQ(study->inputPath, dir / "ids.npy");
}

TEST(StudyReader, TheNoiseFloorIsAListOfKnownKinds) {
  const Study study = parsed("model.path: m\nnoise_floor: [repeat, float64]\n");
  EXPECT_EQ(study.noiseFloor, (std::vector<std::string>{"repeat", "float64"}));
  EXPECT_TRUE(parsed("model.path: m\n").noiseFloor.empty());
  EXPECT_EQ(errorOf("model.path: m\nnoise_floor: [repeat, twice]\n"),
            "s.yaml:2:23: 'noise_floor' must be a list of some of repeat, float64, threads, "
            "attention, batch_order, not 'twice'");
  EXPECT_EQ(errorOf("model.path: m\nnoise_floor: [repeat, repeat]\n"),
            "s.yaml:2:23: 'noise_floor': 'repeat' stands there twice");
  EXPECT_EQ(errorOf("model.path: m\nnoise_floor: [repeat]\nvariants: {floor.repeat: {}}\n"),
            "s.yaml:2:14: noise_floor: the run of repeat is called 'floor.repeat', and so is a "
            "variant; rename the variant");
}

TEST(StudyReader, NamesHaveUpTo100Bytes) {
  const auto named = [](std::size_t size) {
    return "model: {path: m}\nvariants: {" + std::string(size, 'v') +
           ": {precision.compute_dtype: bfloat16}}\n";
  };
  EXPECT_EQ(errorOf(named(100)), "accepted");
  EXPECT_NE(errorOf(named(101)), "accepted");
}

TEST(StudyReader, StudiesHaveUpTo4MiB) {
  const test::TempDir dir;
  const auto errorOf = [&](std::uint64_t bytes) {
    return loadStudy(test::longFile(dir, "study.yaml", "}", bytes)).error().message();
  };
  EXPECT_THAT(errorOf(4U << 20U), testing::Not(testing::HasSubstr(test::kTooLong)));
  EXPECT_THAT(errorOf((4U << 20U) + 1), testing::HasSubstr(test::kTooLong));
}

}  // namespace
}  // namespace ulp::study
