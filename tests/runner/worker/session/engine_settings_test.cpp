#include "runner/worker/session/engine_settings.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/temp_dir.h"

namespace ulp::worker {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Empty: all settings can be honoured.
std::string problemsOf(EngineKind engine,
                       const std::string& settings,
                       const std::vector<std::string>& sets) {
  const test::TempDir folder;
  const auto file = folder.write("s.yaml", settings);
  static_cast<void>(folder.write("changes.py", ""));
  static_cast<void>(folder.write("m.py", ""));
  const auto study = study::loadStudy(file, sets);
  EXPECT_TRUE(study) << study.error().message();
  const auto checked = checkEngineSettings(*study, *planRuns(*study, {}), engine);
  const std::string text = checked ? "" : checked.error().message();
  const std::string place = file.string() + ":";
  const std::size_t at = text.find(place);
  return at == std::string::npos ? text : text.substr(at + place.size());
}

std::string pythonProblems(const std::string& settings, const std::vector<std::string>& sets = {}) {
  return problemsOf(EngineKind::Python, "engine: python\nmodel.path: m\n" + settings, sets);
}

TEST(PythonSettings, WhatTorchHasItselfIsHonoured) {
  EXPECT_EQ(pythonProblems(R"(
runtime.threads: 2
matmul.float32_precision: high
variants:
  bf16: {precision.compute_dtype: bfloat16, precision.cast: module}
  head:
    precision.compute_dtype: bfloat16
    precision.lm_head_dtype: float32
    attention.implementation: sdpa_math
    runtime.deterministic: true
  mixed:
    precision.autocast: bfloat16
    python.prepare: changes.py:halve
    precision.rules: [{match: down_proj, compute_dtype: float32}]
  compiled:
    python.compile: layers
    python.compile_backend: aot_eager
    python.device: cuda:1
    attention.implementation: flash_attention_2
  quantised:
    python.quantization: {quant_method: bitsandbytes, load_in_8bit: true}
    python.device_map: auto
  kept:
    batch.chunk_length: 4
    python.cache: {backend: quanto, nbits: 2}
)"),
            "");
}

TEST(PythonSettings, FilesOfFunctionsAreMissedBeforeAnythingRuns) {
  EXPECT_THAT(
      pythonProblems("variants: {a: {python.prepare: 'gone.py:halve'}}\n"),
      AllOf(HasSubstr("3:"), HasSubstr("python.prepare: gone.py:halve: there is no gone.py")));
  EXPECT_THAT(problemsOf(EngineKind::Python, "model.factory: gone.py:make\nvariants: {}\n", {}),
              HasSubstr("model.factory: gone.py:make: there is no gone.py"));
}

TEST(PythonSettings, RulesHaveOneFormatInBothPasses) {
  for (const char* rule : {"{match: x, compute_dtype: float32, pass: forward}",
                           "{match: x, compute_dtype: float32, softmax_dtype: float64}",
                           "{match: x, activation_dtype: float32}"}) {
    EXPECT_THAT(pythonProblems(std::string("variants: {a: {precision.rules: [") + rule + "]}}\n"),
                HasSubstr("'x': rules of the Python engine have compute_dtype alone"))
        << rule;
  }
}

TEST(PythonSettings, RanksHaveWhatIsKnownOfADividedModel) {
  EXPECT_EQ(pythonProblems(R"(
variants:
  tensor: {python.ranks: 4, python.reduce: reversed, batch.chunk_length: 4}
  fsdp: {python.ranks: 2, python.parallel: fsdp, python.launcher: srun}
)"),
            "");
  for (const char* key : {"precision.lm_head_dtype: float32",
                          "precision.rules: [{match: x, compute_dtype: float32}]",
                          "python.compile: layers",
                          "python.quantization: {quant_method: awq}",
                          "python.device_map: auto"}) {
    EXPECT_THAT(pythonProblems(std::string("variants: {a: {python.ranks: 2, ") + key + "}}\n"),
                HasSubstr("is not there with python.ranks: 2"))
        << key;
  }
  EXPECT_EQ(pythonProblems("variants: {a: {python.ranks: 2}}\n", {"capture.level=op"}), "");
  EXPECT_THAT(pythonProblems("variants: {a: {python.reduce: tree}}\n"),
              HasSubstr("python.reduce: tree: one rank has nothing to add up"));
  EXPECT_THAT(
      pythonProblems("variants: {a: {python.ranks: 2, python.parallel: fsdp, batch.among: 4}}\n"),
      HasSubstr("batch.among: 4: ranks divide the sequences"));
}

TEST(PythonSettings, AModelOfOnesOwnHasNoHeadOrAttentionThatWeKnow) {
  const std::string factory = "model.factory: m.py:make\n";
  EXPECT_THAT(
      problemsOf(
          EngineKind::Python, factory + "variants: {a: {attention.implementation: eager}}\n", {}),
      HasSubstr("attention.implementation: eager: a model of model.factory decides"));
  EXPECT_EQ(
      problemsOf(
          EngineKind::Python, factory + "variants: {a: {precision.compute_dtype: bfloat16}}\n", {}),
      "");
}

TEST(NativeSettings, LeversOfPythonAreRefusedAtTheirPlace) {
  const std::string model = "model.path: m\n";
  EXPECT_THAT(
      problemsOf(EngineKind::Native, model + "variants: {a: {precision.autocast: float16}}\n", {}),
      AllOf(testing::StartsWith("2:"),
            HasSubstr("precision.autocast: float16: is a lever of the Python engine; say "
                      "`engine: python`")));
  EXPECT_THAT(problemsOf(EngineKind::Native,
                         model + "variants: {a: {attention.implementation: flex_attention}}\n",
                         {}),
              AllOf(testing::StartsWith("2:"),
                    HasSubstr("attention.implementation: flex_attention: is an implementation of "
                              "transformers")));
  EXPECT_EQ(problemsOf(EngineKind::Native, model + "semantics: fast_llm\n", {}), "");
}

TEST(PythonSettings, ADefaultThatIsWrittenOutIsNoLever) {
  EXPECT_EQ(pythonProblems("precision.rounding: nearest\nloss.type: cross_entropy\n"), "");
}

TEST(PythonSettings, ALeverOfTheNativeEngineIsRefusedAtItsPlace) {
  EXPECT_THAT(pythonProblems("variants:\n  a: {precision.residual_dtype: float32}\n"),
              AllOf(testing::StartsWith("4:"),
                    HasSubstr("precision.residual_dtype: float32"),
                    HasSubstr("lever of the native engine")));
  EXPECT_THAT(pythonProblems("", {"semantics=fast_llm"}),
              testing::StartsWith("--set semantics=fast_llm: semantics: fast_llm: is a lever"));
}

TEST(PythonSettings, EveryLevelFollowsBatches) {
  for (const std::string level : {"module", "op"}) {
    EXPECT_EQ(pythonProblems("capture.level: " + level +
                             "\ninput.generate: 2\nvariants:\n  a: {batch.among: 4}\n"),
              "");
  }
}

TEST(PythonSettings, NoGradientGoesBackThroughSomeCaches) {
  const std::string cached = "input.generate: 2\nvariants: {a: {python.cache: {backend: ";
  EXPECT_THAT(
      pythonProblems(cached + "hqq}}}\n"),
      AllOf(testing::StartsWith("4:30: python.cache: "), HasSubstr("capture.backward: false")));
  EXPECT_EQ(pythonProblems("capture.backward: false\n" + cached + "hqq}}}\n"), "");
  EXPECT_EQ(pythonProblems(cached + "quanto}}}\n"), "");
}

TEST(PythonSettings, EachProblemIsToldOnce) {
  const std::string problems = pythonProblems(R"(
precision.rounding: stochastic
optimizer.type: sgd
input.padding: 4
semantics: fast_llm
capture.level: op
variants:
  a: {precision.compute_dtype: bfloat16}
)");
  EXPECT_EQ(std::ranges::count(problems, '\n'), 1) << problems;
  EXPECT_THAT(problems,
              AllOf(Not(HasSubstr("optimizer.type")),
                    Not(HasSubstr("input.padding")),
                    HasSubstr("semantics: fast_llm"),
                    Not(HasSubstr("capture.level")),
                    HasSubstr("precision.rounding: stochastic"),
                    Not(HasSubstr("compute_dtype"))));
}

}  // namespace
}  // namespace ulp::worker
