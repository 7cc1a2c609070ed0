#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <regex>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/engine/python/python_process.h"
#include "tests/core/engine/python/python_engine_fixture.h"
#include "tests/core/engine/tiny_model.h"
#include "tests/support/machine/environment_variable.h"

namespace ulp::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::AllOf;
using testing::HasSubstr;

std::string errorOf(const PythonRequest& request) {
  const auto model = tryPython(request);
  EXPECT_FALSE(model);
  return model ? std::string() : model.error().message();
}

TEST(PythonModel, SaysWhatAPythonLacksAndHowToInstallIt) {
  const test::TempDir folder;
  TinyModel().write(folder);
  const auto bare =
      folder.write("bare", "#!/bin/sh\nexec " + std::string(kPython) + " -S -I \"$@\"\n");
  std::filesystem::permissions(bare, std::filesystem::perms::owner_all);
  EXPECT_THAT(errorOf({.model = {.path = folder.path()}, .program = bare}),
              AllOf(HasSubstr("cannot import torch"), HasSubstr("-m pip install torch")));
  EXPECT_THAT(errorOf({.model = {.path = folder.path()}, .program = folder / "none"}),
              HasSubstr("python.executable: there is no "));
}

TEST(PythonModel, ItsErrorsHaveCodesOfOurs) {
  const std::regex naming(R"re((?:Refused\(|code=)"([^"]+)")re");
  std::size_t count = 0;
  for (const PythonModule& module : pythonModules()) {
    const std::string text(module.text);
    for (auto each = std::sregex_iterator(text.begin(), text.end(), naming);
         each != std::sregex_iterator();
         ++each, ++count) {
      EXPECT_TRUE(errorCodeNamed(each->str(1))) << module.name << ": " << each->str();
    }
  }
  EXPECT_GT(count, 20U);
}

TEST(PythonModel, SaysWhatItDoesNotOpen) {
  const test::TempDir folder;
  EXPECT_THAT(errorOf({.model = {.path = folder.path()}}), HasSubstr("folders with a config.json"));
  folder.write("config.json", R"({"model_type": "no_such_model"})");
  EXPECT_THAT(errorOf({.model = {.path = folder.path()}}),
              AllOf(HasSubstr(folder.path().string()), HasSubstr("no_such_model")));
}

TEST(PythonModel, RunsCodeOfACheckpointOnlyWhereItIsTrusted) {
  const test::TempDir folder;
  folder.write("config.json",
               R"({"model_type": "mine", "auto_map": {"AutoConfig": "mine.MyConfig"}})");
  folder.write("mine.py", "raise SystemExit('it ran')\n");
  EXPECT_THAT(errorOf({.model = {.path = folder.path()}}), HasSubstr("python.trust_code: true"));
}

TEST(PythonModel, OpensAFamilyThatTheNativeEngineDoesNotKnow) {
  const test::TempDir folder;
  folder.write("config.json", R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3",
      "vocab_size": 37, "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2,
      "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 4,
      "max_position_embeddings": 64})");
  EXPECT_FALSE(tryOpen({.path = folder.path(), .randomWeights = true}));
  const auto model = pythonOrFail({.model = {.path = folder.path(), .randomWeights = true}});
  EXPECT_EQ(model->info().family, "qwen3");
  const Recorder first = runOrFail(*model, requestOf(DType::BFloat16, kVocabulary));
  expectSameRuns(first, runOrFail(*model, requestOf(DType::BFloat16, kVocabulary)));
  EXPECT_EQ(first.of("model.layers.1.self_attn.q_norm", Pass::Forward).capture.view.shape,
            (std::vector<std::int64_t>{2, 9, 4, 4}));
  EXPECT_EQ(first.of("decoder.1", Pass::Backward).count(), 2U * 9 * 16);
}

TEST(PythonModel, ShowsTheLogitsThatTheLossSeesAndWhatTheHeadGivesBesideThem) {
  const test::TempDir folder;
  folder.write("config.json", R"({"architectures": ["GraniteForCausalLM"], "model_type": "granite",
      "vocab_size": 37, "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2,
      "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 64,
      "logits_scaling": 8.0})");
  const auto model = pythonOrFail({.model = {.path = folder.path(), .randomWeights = true}});
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  const Recorder run = runOrFail(*model, request);
  const Seen& head = run.of("lm_head", Pass::Forward);
  const Seen& logits = run.of("logits", Pass::Forward);
  EXPECT_EQ(head.site.level, Level::Module);
  EXPECT_EQ(logits.site.level, Level::Layer);
  ASSERT_EQ(logits.count(), 2U * 9 * 37);
  ASSERT_EQ(head.count(), logits.count());
  for (std::size_t i = 0; i < logits.count(); ++i) {
    ASSERT_EQ(8 * logits.at(i), head.at(i)) << i;
  }
  // The gradient of a mean over tokens is softmax less one-hot, divided by their number.
  const Seen& gradient = run.of("logits", Pass::Backward);
  double total = 0;
  for (std::size_t i = 0; i < 37; ++i) {
    total += std::exp(logits.at(i));
  }
  EXPECT_NEAR(gradient.at(0) * 18, std::exp(logits.at(0)) / total, 1e-5);

  request.plan.python.compileMode = "default";
  request.plan.python.compileBackend = "eager";
  request.plan.python.compile = "model";
  const Recorder compiled = runOrFail(*model, request);
  EXPECT_TRUE(compiled.of("logits", Pass::Forward).bytes == logits.bytes);
  EXPECT_TRUE(compiled.of("logits", Pass::Backward).bytes == gradient.bytes);
}

// Its cache holds convolution and state-space states, which are written in place.
TEST(PythonModel, DecodesAFamilyWithoutAttention) {
  const test::TempDir folder;
  folder.write("config.json", R"({"architectures": ["Mamba2ForCausalLM"], "model_type": "mamba2",
      "vocab_size": 37, "hidden_size": 16, "num_hidden_layers": 2, "num_heads": 4, "head_dim": 8,
      "state_size": 8, "n_groups": 1, "chunk_size": 4, "expand": 2})");
  const auto model = pythonOrFail({.model = {.path = folder.path(), .randomWeights = true}});
  RunRequest request = requestOf(DType::Float64, kVocabulary, 9);
  request.plan.attention = AttentionImplementation::Eager;
  request.backward = false;
  const Recorder atOnce = runOrFail(*model, request);
  request.batch.prompt = 5;
  const Recorder steps = runOrFail(*model, request);
  ASSERT_EQ(atOnce.seen.size(), steps.seen.size());
  EXPECT_LT(relativeError(atOnce.of("logits", Pass::Forward), steps.of("logits", Pass::Forward)),
            1e-5);  // the states are float32
  request.backward = true;
  Recorder recorder;
  EXPECT_THAT(runError(*model, request, recorder).message(),
              HasSubstr("`capture.backward: false`"));
}

class RunningPython : public ::testing::Test {
 protected:
  explicit RunningPython(std::filesystem::path program = {}) {
    TinyModel().write(m_folder);
    m_model = pythonOrFail({.model = {.path = m_folder.path()}, .program = std::move(program)});
  }

  test::TempDir m_folder;
  std::unique_ptr<PythonModel> m_model;
};

/// As users start it.
class RealPython : public RunningPython {
 protected:
  RealPython() : RunningPython(kPython) {}
};

TEST_F(RunningPython, ASiteThatNobodyWantsIsNotShown) {
  Recorder recorder;
  recorder.filter = [](const Site& site) { return site.name == "decoder.1"; };
  const auto outcome = m_model->run(requestOf(DType::Float32, kVocabulary), recorder, {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(recorder.seen.size(), 2U);
  EXPECT_EQ(recorder.seen[0].site.pass, Pass::Forward);
  EXPECT_EQ(recorder.seen[1].site.pass, Pass::Backward);
}

TEST_F(RunningPython, ATensorStaysAsItIsAsLongAsItIsHeld) {
  const RunRequest request = requestOf(DType::Float32, kVocabulary);
  const Recorder held = runOrFail(*m_model, request);
  runOrFail(*m_model, requestOf(DType::BFloat16, kVocabulary));
  runOrFail(*m_model, request);
  for (const Seen& one : held.seen) {
    const auto now = one.capture.view.bytes();
    EXPECT_TRUE(std::ranges::equal(now, one.bytes)) << one.site.name;
  }
}

TEST_F(RealPython, AStopEndsItWithinASecondAndTheNextRunBeginsAnew) {
  std::stop_source stop;
  Recorder recorder;
  steady_clock::time_point asked;
  recorder.onObserve = [&](const Site&) {
    asked = steady_clock::now();
    stop.request_stop();
    return Result<>();
  };
  const auto outcome =
      m_model->run(requestOf(DType::Float32, kVocabulary), recorder, stop.get_token());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::Cancelled);
  EXPECT_LT(steady_clock::now() - asked, milliseconds(1000));
  EXPECT_FALSE(runOrFail(*m_model, requestOf(DType::Float32, kVocabulary)).seen.empty());
}

TEST_F(RealPython, APythonThatIsKilledIsToldAndTheNextRunBeginsAnew) {
  Recorder recorder;
  bool isKilled = false;
  recorder.onObserve = [&isKilled](const Site&) {
    if (std::exchange(isKilled, true)) {
      return Result<>();
    }
    const auto lastChildOf = [](const std::string& task) {
      pid_t child = 0;
      std::ifstream children("/proc/" + task + "/children");
      while (children >> child) {
      }
      return child;
    };
    // The last; before it the one that loadedPython() starts. What computes is its fork.
    const std::string python = std::to_string(lastChildOf("thread-self"));
    const pid_t computing = lastChildOf(python + "/task/" + python);
    EXPECT_GT(computing, 0);
    EXPECT_EQ(::kill(computing, SIGKILL), 0);
    return Result<>();
  };
  const auto outcome = m_model->run(requestOf(DType::Float32, kVocabulary), recorder, {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::OutOfMemory);
  EXPECT_THAT(outcome.error().message(), HasSubstr("was killed"));
  EXPECT_FALSE(runOrFail(*m_model, requestOf(DType::Float32, kVocabulary)).seen.empty());
}

TEST_F(RunningPython, AnErrorOfTheObserverEndsTheRunAndIsReturned) {
  Recorder recorder;
  recorder.onObserve = [](const Site&) { return fail(ErrorCode::Io, "the disk is full"); };
  const auto outcome = m_model->run(requestOf(DType::Float32, kVocabulary), recorder, {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message(), "the disk is full");
  EXPECT_FALSE(runOrFail(*m_model, requestOf(DType::Float32, kVocabulary)).seen.empty());
}

TEST_F(RunningPython, RefusesWhatTorchHasNoFormatFor) {
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  request.plan.formats[numerics::Operation::Compute] = numerics::NumberFormat::Mxfp8;
  Recorder recorder;
  EXPECT_THAT(runError(*m_model, request, recorder).message(),
              AllOf(HasSubstr("precision.compute_dtype: 'mxfp8'"), HasSubstr("bfloat16")));
}

TEST_F(RunningPython, AutocastAndAFunctionOfTheUsersChangeTheRunThatNamesThem) {
  const RunRequest plain = requestOf(DType::Float32, kVocabulary);
  const Recorder before = runOrFail(*m_model, plain);
  RunRequest autocast = plain;
  autocast.plan.python.autocast = numerics::NumberFormat::BFloat16;
  const Recorder cast = runOrFail(*m_model, autocast);
  EXPECT_EQ(cast.of("model.layers.0.mlp.up_proj", Pass::Forward).capture.view.dtype,
            DType::BFloat16);
  EXPECT_EQ(cast.of("model.layers.0.input_layernorm", Pass::Forward).capture.view.dtype,
            DType::Float32);

  const auto file = m_folder.write("changes.py", R"(
import torch
def halve(model):
    with torch.no_grad():
        model.model.norm.weight.mul_(0.5)
def fail(model):
    raise RuntimeError("on purpose")
)");
  RunRequest prepared = plain;
  prepared.plan.python.prepare = file.string() + ":halve";
  const Recorder halved = runOrFail(*m_model, prepared);
  const Seen& one = before.of("norm", Pass::Forward);
  const Seen& other = halved.of("norm", Pass::Forward);
  for (std::size_t i = 0; i < one.count(); ++i) {
    ASSERT_EQ(other.at(i), one.at(i) / 2);
  }
  expectSameRuns(before, runOrFail(*m_model, plain));

  Recorder recorder;
  prepared.plan.python.prepare = file.string() + ":fail";
  EXPECT_THAT(runError(*m_model, prepared, recorder).message(),
              AllOf(HasSubstr("on purpose"), HasSubstr("changes.py:7")));
  prepared.plan.python.prepare = file.string() + ":none";
  EXPECT_THAT(runError(*m_model, prepared, recorder).message(), HasSubstr("no function 'none'"));
  expectSameRuns(before, runOrFail(*m_model, plain));
}

TEST_F(RunningPython, ARuleThatMatchesNothingNamesModules) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  PrecisionRule rule{.match = "no_such"};
  rule.formats[numerics::Operation::Compute] = numerics::NumberFormat::Float32;
  request.plan.rules = {rule};
  Recorder recorder;
  EXPECT_THAT(runError(*m_model, request, recorder).message(),
              AllOf(HasSubstr("'no_such'"), HasSubstr("model.embed_tokens")));
}

}  // namespace
}  // namespace ulp::engine
