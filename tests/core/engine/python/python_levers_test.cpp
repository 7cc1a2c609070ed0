#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/engine/python/python_engine_fixture.h"
#include "tests/core/engine/tiny_model.h"
#include "tests/support/machine/environment_variable.h"

/// Levers that transformers and torch have beside formats.
namespace ulp::engine {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class PythonLevers : public ::testing::Test {
 protected:
  void SetUp() override {
    TinyModel().write(m_folder);
    m_model = pythonOrFail({.model = {.path = m_folder.path()}, .program = m_program});
  }

  /// What is said of a plan before it runs.
  std::string problemOf(const PythonPlan& python, Cast cast = Cast::Load) {
    PrecisionPlan plan;
    plan.python = python;
    plan.cast = cast;
    const auto possible = m_model->check(plan, "cpu");
    EXPECT_FALSE(!possible && possible.error().code() != ErrorCode::InvalidArgument);
    return possible ? std::string() : possible.error().message();
  }

  test::TempDir m_folder;
  std::filesystem::path m_program;
  std::unique_ptr<PythonModel> m_model;
};

std::vector<std::string> namesOf(const Recorder& recorder) {
  std::vector<std::string> names;
  for (const Seen& one : recorder.seen) {
    if (one.site.pass == Pass::Forward) {
      names.push_back(one.site.name);
    }
  }
  return names;
}

/// What was traced and runs as it is computes the same bits forward; backward it may add gradients
/// in another order.
TEST_F(PythonLevers, CompiledLayersAreSeenAtTheirBorders) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  const Recorder plain = runOrFail(*m_model, request);
  const auto expectSame = [&plain](const Recorder& compiled) {
    for (const Seen& one : compiled.seen) {
      const Seen& other = plain.of(one.site.name, one.site.pass);
      if (one.site.pass == Pass::Forward) {
        EXPECT_TRUE(one.bytes == other.bytes) << one.site.name;
      } else {
        EXPECT_LT(relativeError(other, one), 0.02) << one.site.name;
      }
    }
  };
  request.plan.python.compileMode = "default";
  request.plan.python.compileBackend = "eager";
  request.plan.python.compile = "layers";
  const Recorder layers = runOrFail(*m_model, request);
  EXPECT_THAT(namesOf(layers),
              testing::ElementsAre("embeddings",
                                   "model.rotary_emb.cos",
                                   "model.rotary_emb.sin",
                                   "decoder.0",
                                   "decoder.1",
                                   "norm",
                                   "logits",
                                   "loss"));
  EXPECT_GT(layers.of("decoder.0", Pass::Backward).count(), 0U);
  EXPECT_GT(layers.of("model.layers.0.mlp.up_proj.weight", Pass::ParameterGradient).count(), 0U);
  expectSame(layers);

  request.plan.python.compile = "model";
  const Recorder model = runOrFail(*m_model, request);
  EXPECT_THAT(namesOf(model), testing::ElementsAre("logits", "loss"));
  EXPECT_GT(model.of("logits", Pass::Backward).count(), 0U);
  expectSame(model);

  request.plan.python.compile.clear();
  expectSameRuns(plain, runOrFail(*m_model, request));
}

/// Layers share one store of programs in torch, which five of them fill in pieces of two kinds.
TEST(PythonCompiler, EveryCallOfALayerIsCompiledWhateverRanBefore) {
  const test::TempDir folder;
  folder.write("config.json", R"({"model_type": "qwen3", "vocab_size": 37, "hidden_size": 16,
      "intermediate_size": 24, "num_hidden_layers": 5, "num_attention_heads": 4,
      "num_key_value_heads": 2, "head_dim": 4})");
  const auto file = folder.write("counting.py", R"(
import pathlib
import torch
from torch._dynamo import list_backends, register_backend

def prepare(model):
    def counting(graph, _):
        def called(*inputs):
            with open(pathlib.Path(__file__).with_name("calls"), "a") as calls:
                calls.write(".")
            return graph(*inputs)
        return called

    if "counting" not in list_backends():
        register_backend(counting)
)");
  const auto model = pythonOrFail({.model = {.path = folder.path(), .randomWeights = true}});
  RunRequest request = requestOf(DType::BFloat16, kVocabulary, 9);
  request.backward = false;
  request.plan.python.prepare = file.string() + ":prepare";
  request.plan.python.compile = "layers";
  request.plan.python.compileMode = "default";
  request.plan.python.compileBackend = "counting";
  const auto callsOf = [&](std::int64_t chunk) {
    std::filesystem::remove(folder / "calls");
    request.batch.chunkLength = chunk;
    runOrFail(*model, request);
    return std::filesystem::file_size(folder / "calls");
  };
  EXPECT_EQ(callsOf(4), 5 * 3U);
  EXPECT_EQ(callsOf(0), 5U);
  EXPECT_THAT(model->takeNotes(), testing::IsEmpty());
}

TEST_F(PythonLevers, AttentionThatNobodyNamesIsThatOfTheModel) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  request.plan.attention = AttentionImplementation::Sdpa;
  const Recorder sdpa = runOrFail(*m_model, request);
  request.plan.attention = AttentionImplementation::Eager;
  const Recorder eager = runOrFail(*m_model, request);
  EXPECT_FALSE(sdpa.of("decoder.1", Pass::Forward).bytes ==
               eager.of("decoder.1", Pass::Forward).bytes);
  request.plan.python.attention = "default";
  expectSameRuns(sdpa, runOrFail(*m_model, request));
}

TEST_F(PythonLevers, WhatThePackagesLackIsToldBeforeAnythingRuns) {
  EXPECT_EQ(problemOf({}), "");
  EXPECT_EQ(problemOf({.attention = "flex_attention"}), "");
  EXPECT_THAT(problemOf({.attention = "flash_attention_2"}),
              AllOf(StartsWith("attention.implementation: flash_attention_2: "),
                    HasSubstr("-m pip install 'flash-attn'")));
  EXPECT_THAT(
      problemOf({.attention = "no_such"}),
      AllOf(StartsWith("attention.implementation: no_such: "), HasSubstr("flex_attention")));
  EXPECT_THAT(problemOf({.device = "cuda:99"}), StartsWith("python.device: cuda:99: torch"));
  EXPECT_THAT(problemOf({.device = "no_such"}), StartsWith("python.device: no_such: "));
  EXPECT_THAT(problemOf({.compile = "layers", .compileMode = "default", .compileBackend = "none"}),
              AllOf(StartsWith("python.compile_backend: none: "), HasSubstr("inductor")));
  EXPECT_THAT(
      problemOf({.compile = "layers", .compileMode = "max-autotune", .compileBackend = "eager"}),
      StartsWith("python.compile_mode: max-autotune: "));
}

/// With the packages that `make setup-test` puts beside the Python of the oracles.
class PythonQuantizers : public PythonLevers {
 protected:
  PythonQuantizers() { m_program = kPython; }

 private:
  const test::EnvironmentVariable m_packages{
      "PYTHONPATH",
      (std::filesystem::path(kPython).parent_path().parent_path().parent_path() / "quantizers")
          .string()};
};

TEST_F(PythonQuantizers, WhatCannotBeQuantisedIsToldBeforeAnythingRuns) {
  EXPECT_THAT(problemOf({.quantization = R"({"quant_method": "awq", "bits": 4})"}),
              AllOf(StartsWith("python.quantization: "), HasSubstr("quantises no weights")));
  EXPECT_THAT(problemOf({.quantization = R"({"quant_method": "quanto", "weights": "int8"})"}),
              HasSubstr("-m pip install 'optimum-quanto'"));
  EXPECT_THAT(problemOf({.quantization = R"({"bits": 4})"}), HasSubstr("quant_method"));
  EXPECT_THAT(problemOf({.quantization = R"({"quant_method": "fp8"})"}), HasSubstr("No GPU"));
  EXPECT_THAT(problemOf({.quantization = R"({"quant_method": "mxfp4"})"}),
              HasSubstr("MXFP4 quantization"));
  EXPECT_THAT(
      problemOf({.quantization = R"({"quant_method": "torchao", "quant_type": "NoSuchConfig"})"}),
      AllOf(HasSubstr("NoSuchConfig"), HasSubstr("Int8WeightOnlyConfig")));
  const std::string eight = R"({"quant_method": "bitsandbytes", "load_in_8bit": true})";
  EXPECT_EQ(problemOf({.quantization = eight}), "");
  EXPECT_THAT(problemOf({.quantization = eight}, Cast::Module),
              HasSubstr("cannot be cast by precision.cast: module"));
}

/// Each with the command that installs what opens it.
TEST(PythonCheckpoint, OneThatIsQuantisedIsRefusedWithoutItsPackages) {
  const test::TempDir folder;
  TinyModel tiny;
  const auto refusal = [&](const std::string& method, const std::string& fields) {
    tiny.config["quantization_config"] =
        nlohmann::json::parse(R"({"quant_method": ")" + method + "\"" + fields + "}");
    tiny.write(folder);
    const auto model = tryPython({.model = {.path = folder.path()}});
    EXPECT_FALSE(model);
    return model ? std::string() : model.error().message();
  };
  const std::string place = "model.path: " + folder.path().string() + ": ";
  EXPECT_THAT(refusal("gptq", R"(, "bits": 4)"),
              AllOf(StartsWith(place + "the checkpoint is quantised by gptq"),
                    HasSubstr("-m pip install 'optimum'")));
  EXPECT_THAT(refusal("no_such", ""),
              AllOf(StartsWith(place + "the checkpoint is quantised by no_such"),
                    HasSubstr("does not know")));
}

TEST(PythonCheckpoint, OneThatLacksTensorsIsRefused) {
  const test::TempDir folder;
  TinyModel tiny;
  tiny.weights.erase("model.layers.1.mlp.up_proj.weight");
  tiny.write(folder);
  const auto model = tryPython({.model = {.path = folder.path()}});
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message(),
              AllOf(HasSubstr("lacks 1 tensors of the model, such as "
                              "model.layers.1.mlp.up_proj.weight"),
                    HasSubstr("at random")));
}

/// Fields that transformers derives from others follow what the study changes.
TEST(PythonCheckpoint, AChangedArchitectureIsThatOfTheFile) {
  const test::TempDir folder;
  folder.write("config.json", R"({"model_type": "qwen3", "vocab_size": 37, "hidden_size": 16,
      "intermediate_size": 24, "num_hidden_layers": 3, "num_attention_heads": 4,
      "num_key_value_heads": 2, "head_dim": 4})");
  const auto model = pythonOrFail({.model = {.path = folder.path(),
                                             .randomWeights = true,
                                             .architectureJson = R"({"num_hidden_layers": 2})"}});
  EXPECT_EQ(model->info().layers, 2);
}

/// What is not asked a gradient of keeps none.
TEST(PythonCheckpoint, FrozenParametersStayFrozen) {
  const test::TempDir folder;
  TinyModel().write(folder);
  const auto file = folder.write("changes.py", R"(
def freeze(model):
    model.model.layers[0].mlp.requires_grad_(False)
)");
  const auto model = pythonOrFail({.model = {.path = folder.path()}});
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  request.plan.python.prepare = file.string() + ":freeze";
  const Recorder frozen = runOrFail(*model, request);
  const auto has = [&frozen](const std::string& name) {
    return std::ranges::any_of(frozen.seen, [&name](const Seen& one) {
      return one.site.name == name && one.site.pass == Pass::ParameterGradient;
    });
  };
  EXPECT_FALSE(has("model.layers.0.mlp.up_proj.weight"));
  EXPECT_TRUE(has("model.layers.1.mlp.up_proj.weight"));
}

}  // namespace
}  // namespace ulp::engine
