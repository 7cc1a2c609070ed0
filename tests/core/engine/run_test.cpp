#include <barrier>
#include <cmath>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

namespace ulp::engine {
namespace {

class Run : public ::testing::Test {
 protected:
  void SetUp() override {
    TinyModel().write(m_folder);
    m_model = openOrFail({.path = m_folder.path()});
  }

  test::TempDir m_folder;
  std::unique_ptr<Model> m_model;
};

TEST_F(Run, RepeatsBitForBit) {
  for (const DType dtype : {DType::Float32, DType::BFloat16, DType::Float16, DType::Float64}) {
    const RunRequest request = requestOf(dtype, kVocabulary);
    const Recorder first = runOrFail(*m_model, request);
    const Recorder second = runOrFail(*m_model, request);
    expectSameRuns(first, second);
  }
}

TEST_F(Run, ADeviceBesideItselfHasTheBitsOfOne) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  const Recorder one = runOrFail(*m_model, request);
  request.device = "cpu+cpu";
  expectSameRuns(one, runOrFail(*m_model, request));
}

TEST_F(Run, RepeatsBitForBitAfterARunInAnotherFormat) {
  const RunRequest bfloat16 = requestOf(DType::BFloat16, kVocabulary);
  const Recorder first = runOrFail(*m_model, bfloat16);
  runOrFail(*m_model, requestOf(DType::Float32, kVocabulary));
  expectSameRuns(runOrFail(*m_model, bfloat16), first);
  RunRequest ungraded = bfloat16;
  ungraded.parameterGradients = false;
  runOrFail(*m_model, ungraded);
  expectSameRuns(runOrFail(*m_model, bfloat16), first);
}

TEST_F(Run, ObservesExactlyTheAnnouncedSitesInOrder) {
  for (const Level level : {Level::Layer, Level::Module, Level::Op}) {
    for (const bool parameterGradients : {true, false}) {
      RunRequest request = requestOf(DType::Float32, kVocabulary);
      request.plan.attention = AttentionImplementation::Eager;
      request.level = level;
      request.parameterGradients = parameterGradients;
      const std::vector<Site> announced = m_model->sites(request);
      const Recorder recorder = runOrFail(*m_model, request);
      ASSERT_EQ(recorder.asked, announced);
      ASSERT_EQ(recorder.seen.size(), announced.size());
      for (std::size_t i = 0; i < announced.size(); ++i) {
        EXPECT_EQ(recorder.seen[i].site, announced[i]) << announced[i].name;
      }
    }
  }
}

TEST_F(Run, NamesEverySiteOnce) {
  std::set<std::pair<std::string, Pass>> names;
  for (const Site& site : m_model->sites({.level = Level::Op})) {
    EXPECT_TRUE(names.emplace(site.name, site.pass).second) << site.name;
  }
  for (const char* row : {"embeddings", "decoder.0", "decoder.1", "norm", "logits", "loss"}) {
    EXPECT_TRUE(names.contains({row, Pass::Forward})) << row;
  }
  for (const char* row : {"decoder.0", "norm", "logits", "lm_head"}) {
    EXPECT_TRUE(names.contains({row, Pass::Backward})) << row;
  }
  EXPECT_TRUE(names.contains({"model.layers.1.mlp.down_proj", Pass::Backward}));
  EXPECT_TRUE(names.contains({"model.rotary_emb.cos", Pass::Forward}));
  EXPECT_TRUE(names.contains({"model.norm.weight", Pass::ParameterGradient}));
  EXPECT_TRUE(names.contains({"model.layers.0.self_attn.rotary.cos", Pass::Forward}));
  EXPECT_FALSE(names.contains({"model.layers.0.self_attn.rotary.cos", Pass::Backward}));
  EXPECT_TRUE(names.contains({"model.layers.0.self_attn.softmax", Pass::Backward}));
}

TEST_F(Run, ShowsOnlyWhatIsWanted) {
  Recorder recorder;
  recorder.filter = [](const Site& site) { return site.name == "decoder.1"; };
  ASSERT_TRUE(m_model->run(requestOf(DType::BFloat16, kVocabulary), recorder, std::stop_token()));
  ASSERT_EQ(recorder.seen.size(), 2U);
  EXPECT_EQ(recorder.seen[0].site.pass, Pass::Forward);
  EXPECT_EQ(recorder.seen[1].site.pass, Pass::Backward);
}

TEST_F(Run, GivesTheSameTensorsWhateverElseIsWanted) {
  const RunRequest request = requestOf(DType::Float32, kVocabulary);
  const Recorder everything = runOrFail(*m_model, request);
  Recorder little;
  little.filter = [](const Site& site) { return site.level == Level::Layer; };
  ASSERT_TRUE(m_model->run(request, little, std::stop_token()));
  for (const Seen& one : little.seen) {
    EXPECT_EQ(one.bytes, everything.of(one.site.name, one.site.pass).bytes) << one.site.name;
  }
}

TEST_F(Run, LeavesCapturesAloneAsLongAsTheyAreHeld) {
  const Recorder first = runOrFail(*m_model, requestOf(DType::Float32, kVocabulary));
  runOrFail(*m_model, requestOf(DType::BFloat16, kVocabulary));
  for (const Seen& one : first.seen) {
    const auto now = one.capture.view.bytes();
    EXPECT_EQ(one.bytes, std::vector<std::byte>(now.begin(), now.end())) << one.site.name;
  }
}

TEST_F(Run, IsTheSameOnEveryCallingThread) {
  const RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  const Recorder here = runOrFail(*m_model, request);
  Recorder there;
  std::thread([&] { there = runOrFail(*m_model, request); }).join();
  expectSameRuns(here, there);
}

TEST_F(Run, ComputesOnlyTheWantedParameterGradients) {
  const RunRequest request = requestOf(DType::Float32, kVocabulary);
  const Recorder everything = runOrFail(*m_model, request);
  Recorder one;
  one.filter = [](const Site& site) {
    return site.name == "model.layers.0.mlp.up_proj.weight" || site.name == "decoder.0";
  };
  ASSERT_TRUE(m_model->run(request, one, std::stop_token()));
  ASSERT_EQ(one.seen.size(), 3U);
  for (const Seen& seen : one.seen) {
    EXPECT_EQ(seen.bytes, everything.of(seen.site.name, seen.site.pass).bytes) << seen.site.name;
  }
}

TEST_F(Run, GivesBackwardTensorsWithoutParameterGradients) {
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  const Recorder with = runOrFail(*m_model, request);
  request.parameterGradients = false;
  const Recorder without = runOrFail(*m_model, request);
  for (const Seen& one : without.seen) {
    EXPECT_EQ(one.bytes, with.of(one.site.name, one.site.pass).bytes) << one.site.name;
  }
}

TEST_F(Run, KeepsEachStreamInItsOwnDType) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  request.plan.formats[numerics::Operation::Residual] = numerics::NumberFormat::Float32;
  request.plan.formats[numerics::Operation::LmHead] = numerics::NumberFormat::Float64;
  const Recorder recorder = runOrFail(*m_model, request);
  const auto dtype = [&](const char* row, Pass pass) {
    return recorder.of(row, pass).capture.view.dtype;
  };
  EXPECT_EQ(dtype("embeddings", Pass::Forward), DType::Float32);
  EXPECT_EQ(dtype("decoder.1", Pass::Forward), DType::Float32);
  EXPECT_EQ(dtype("decoder.1", Pass::Backward), DType::Float32);
  EXPECT_EQ(dtype("model.layers.0.mlp.up_proj", Pass::Forward), DType::BFloat16);
  EXPECT_EQ(dtype("norm", Pass::Forward), DType::BFloat16);
  EXPECT_EQ(dtype("logits", Pass::Forward), DType::Float64);
  EXPECT_EQ(dtype("logits", Pass::Backward), DType::Float64);
  EXPECT_EQ(dtype("lm_head", Pass::Backward), DType::BFloat16);
  EXPECT_EQ(dtype("lm_head.weight", Pass::ParameterGradient), DType::BFloat16);
}

TEST_F(Run, AgreesBetweenFloat32AndFloat64) {
  const Recorder narrow = runOrFail(*m_model, requestOf(DType::Float32, kVocabulary));
  const Recorder wide = runOrFail(*m_model, requestOf(DType::Float64, kVocabulary));
  for (std::size_t i = 0; i < wide.seen.size(); ++i) {
    EXPECT_LT(relativeError(wide.seen[i], narrow.seen[i]), 1e-5) << wide.seen[i].site.name;
  }
}

TEST_F(Run, AgreesBetweenEagerAndSdpa) {
  RunRequest request = requestOf(DType::Float64, kVocabulary);
  const Recorder sdpa = runOrFail(*m_model, request);
  request.plan.attention = AttentionImplementation::Eager;
  const Recorder eager = runOrFail(*m_model, request);
  for (std::size_t i = 0; i < sdpa.seen.size(); ++i) {
    EXPECT_LT(relativeError(sdpa.seen[i], eager.seen[i]), 1e-12) << sdpa.seen[i].site.name;
  }
}

TEST_F(Run, AddsTheOwnGradientsOfABlockToThatOfItsResidual) {
  const Recorder run = runOrFail(*m_model, requestOf(DType::Float64, kVocabulary));
  const Seen& total = run.of("decoder.1", Pass::Backward);
  const Seen& norm = run.of("model.layers.1.input_layernorm", Pass::Backward);
  const Seen& middle = run.of("model.layers.1.post_attention_layernorm", Pass::Backward);
  const Seen& after = run.of("norm", Pass::Backward);
  for (std::size_t i = 0; i < total.count(); ++i) {
    EXPECT_NEAR(total.at(i), norm.at(i) + middle.at(i) + after.at(i), 1e-15);
  }
}

TEST_F(Run, StopsAtTheNextModule) {
  for (const Pass where : {Pass::Forward, Pass::Backward, Pass::ParameterGradient}) {
    std::stop_source source;
    Recorder recorder;
    int progressAfter = 0;
    int observedAfter = 0;
    recorder.onProgress = [&](Pass pass, std::string_view site) {
      progressAfter += source.stop_requested() ? 1 : 0;
      if (pass == where && site.find("layers.1") != std::string_view::npos) {
        source.request_stop();
      }
    };
    recorder.onObserve = [&](const Site&) {
      observedAfter += source.stop_requested() ? 1 : 0;
      return Result<>();
    };
    const auto outcome =
        m_model->run(requestOf(DType::Float32, kVocabulary), recorder, source.get_token());
    ASSERT_FALSE(outcome) << toString(where);
    EXPECT_EQ(outcome.error().code(), ErrorCode::Cancelled);
    EXPECT_EQ(progressAfter, 0) << toString(where);
    EXPECT_LE(observedAfter, 3) << toString(where);
  }
}

TEST_F(Run, DoesNotStartWhenStoppedBefore) {
  std::stop_source source;
  source.request_stop();
  Recorder recorder;
  const auto outcome =
      m_model->run(requestOf(DType::Float32, kVocabulary), recorder, source.get_token());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::Cancelled);
  EXPECT_TRUE(recorder.seen.empty());
}

TEST_F(Run, ReturnsTheObserversErrorAndStaysUsable) {
  const RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  const Recorder before = runOrFail(*m_model, request);
  struct Place {
    std::string name;
    Pass pass;
  };
  const std::vector<Place> places{{"model.layers.0.mlp", Pass::Forward},
                                  {"model.layers.1.input_layernorm", Pass::Backward},
                                  {"decoder.0", Pass::Backward},
                                  {"model.norm.weight", Pass::ParameterGradient}};
  for (const Place& place : places) {
    Recorder recorder;
    recorder.onObserve = [&](const Site& site) -> Result<> {
      if (site.name == place.name && site.pass == place.pass) {
        return fail(ErrorCode::Io, "disk full at " + place.name);
      }
      return {};
    };
    const Error error = runError(*m_model, request, recorder);
    EXPECT_EQ(error.code(), ErrorCode::Io);
    EXPECT_EQ(error.message(), "disk full at " + place.name);
    EXPECT_EQ(recorder.seen.back().site.name, place.name);
  }
  expectSameRuns(before, runOrFail(*m_model, request));
}

TEST_F(Run, RefusesTokensOutsideTheVocabulary) {
  for (const std::int64_t token : {kVocabulary, std::int64_t{-1}}) {
    RunRequest request = requestOf(DType::Float32, kVocabulary);
    request.microBatches.back().ids[5] = token;
    Recorder recorder;
    const Error error = runError(*m_model, request, recorder);
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
    EXPECT_NE(error.message().find("token " + std::to_string(token) + " at position 5"),
              std::string::npos)
        << error.message();
    EXPECT_TRUE(recorder.asked.empty());
  }
}

TEST_F(Run, RefusesImpossibleRequests) {
  const RunRequest good = requestOf(DType::Float32, kVocabulary);
  const auto codeOf = [&](auto change) {
    RunRequest request = good;
    change(request);
    Recorder recorder;
    return runError(*m_model, request, recorder).code();
  };
  EXPECT_EQ(codeOf([](RunRequest& r) { r.microBatches.back().ids.pop_back(); }),
            ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([](RunRequest& r) { r.microBatches.back().length = 0; }),
            ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([](RunRequest& r) { r.microBatches.back().batch = -1; }),
            ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([](RunRequest& r) { r.device = "tpu"; }), ErrorCode::InvalidArgument);
  for (const char* device : {"cuda:x", "cpu+", "cpu+tpu"}) {
    EXPECT_EQ(codeOf([&](RunRequest& r) { r.device = device; }), ErrorCode::InvalidArgument);
  }
}

TEST_F(Run, ReportsLossTimeAndMemory) {
  Recorder recorder;
  const auto outcome =
      m_model->run(requestOf(DType::Float32, kVocabulary), recorder, std::stop_token());
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->loss, recorder.of("loss", Pass::Forward).at(0));
  EXPECT_GT(outcome->loss, 0);
  EXPECT_GT(outcome->seconds, 0);
  EXPECT_GT(outcome->peakBytes, 1U << 20U);
}

/// Loss of the model in `folder`, all in float64.
double lossOf(const test::TempDir& folder) {
  const auto model = openOrFail({.path = folder.path()});
  Recorder recorder;
  recorder.filter = [](const Site&) { return false; };
  return model->run(requestOf(DType::Float64, kVocabulary), recorder, std::stop_token())
      .value()
      .loss;
}

TEST(Gradients, EqualFiniteDifferences) {
  TinyModel tiny;
  const test::TempDir folder;
  tiny.writeDouble(folder);
  const auto model = openOrFail({.path = folder.path()});
  const Recorder recorder = runOrFail(*model, requestOf(DType::Float64, kVocabulary));
  const double step = 1e-5;
  for (const char* name : {"model.embed_tokens.weight",
                           "model.layers.0.self_attn.q_proj.weight",
                           "model.layers.0.self_attn.k_proj.weight",
                           "model.layers.1.self_attn.v_proj.weight",
                           "model.layers.0.self_attn.o_proj.weight",
                           "model.layers.1.mlp.gate_proj.weight",
                           "model.layers.0.mlp.down_proj.weight",
                           "model.layers.1.input_layernorm.weight",
                           "model.norm.weight",
                           "lm_head.weight"}) {
    const Seen& gradient = recorder.of(name, Pass::ParameterGradient);
    TinyTensor& tensor = tiny.weights.at(name);
    for (const std::size_t element : {std::size_t{3}, tensor.values.size() / 2}) {
      const double kept = tensor.values[element];
      tensor.values[element] = kept + step;
      tiny.writeDouble(folder);
      const double above = lossOf(folder);
      tensor.values[element] = kept - step;
      tiny.writeDouble(folder);
      const double below = lossOf(folder);
      tensor.values[element] = kept;
      EXPECT_NEAR(gradient.at(element), (above - below) / (2 * step), 1e-8)
          << name << '[' << element << ']';
    }
  }
}

TEST(RandomTokens, DrawWhatTorchDraws) {
  // torch.randint(0, 49152, (1, 5), generator=torch.Generator().manual_seed(0))
  const auto tokens = sharedEngine().randomTokens(49152, 1, 4, 0);
  ASSERT_TRUE(tokens);
  EXPECT_EQ(tokens->ids, (std::vector<std::int64_t>{2732, 27183, 9845, 3264, 13123}));
  EXPECT_EQ(tokens->length, 4);
  const auto batch = sharedEngine().randomTokens(10, 3, 7, 1);
  EXPECT_EQ(batch->ids.size(), 24U);
  EXPECT_FALSE(sharedEngine().randomTokens(0, 1, 4, 0));
  EXPECT_FALSE(sharedEngine().randomTokens(10, 1, 0, 0));
}

TEST(Devices, ListTheCpuFirst) {
  const auto devices = sharedEngine().devices();
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices[0].id, "cpu");
  EXPECT_FALSE(devices[0].name.empty());
  EXPECT_GT(devices[0].memoryBytes, 1U << 28U);
  EXPECT_TRUE(devices[0].note.empty());
}

TEST(Engine, NamesItsFamilies) {
  const auto families = sharedEngine().families();
  ASSERT_FALSE(families.empty());
  EXPECT_EQ(families[0].id, "llama");
  EXPECT_EQ(families[0].architectures, std::vector<std::string>{"LlamaForCausalLM"});
  EXPECT_EQ(sharedEngine().torchVersion().substr(0, 2), "2.");
}

TEST(Engine, RunsAJobOnEveryThreadOfItsTeamAtOnce) {
  const int threads = sharedEngine().setThreads(2);
  std::barrier everybody(threads);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  sharedEngine().team().run([&] {
    everybody.arrive_and_wait();
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(threads));
  EXPECT_TRUE(seen.contains(std::this_thread::get_id()));
}

TEST(Engine, UsesAsManyThreadsAsAsked) {
  EXPECT_EQ(sharedEngine().setThreads(1), 1);
  EXPECT_GE(sharedEngine().setThreads(0), 1);
  EXPECT_EQ(sharedEngine().setThreads(2), 2);
}

}  // namespace
}  // namespace ulp::engine
