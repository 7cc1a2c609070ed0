#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

/// Capture level op: what lies between the modules.
namespace ulp::engine {
namespace {

const std::string kLayer = "model.layers.1.";

class Operations : public ::testing::Test {
 protected:
  void SetUp() override {
    TinyModel().write(m_folder);
    m_model = openOrFail({.path = m_folder.path()});
  }

  static RunRequest request(DType dtype = DType::BFloat16) {
    RunRequest request = requestOf(dtype, kVocabulary);
    request.level = Level::Op;
    request.plan.attention = AttentionImplementation::Eager;
    return request;
  }

  /// Every site once, in the order in which the model announces them.
  void expectAnnounced(const Recorder& run) const {
    const std::vector<Site> announced = m_model->sites({.level = Level::Op});
    ASSERT_EQ(run.seen.size(), announced.size());
    for (std::size_t i = 0; i < announced.size(); ++i) {
      EXPECT_EQ(run.seen[i].site, announced[i]) << announced[i].name;
    }
  }

  static bool has(const Recorder& run, const std::string& name) {
    return std::any_of(
        run.seen.begin(), run.seen.end(), [&](const Seen& one) { return one.site.name == name; });
  }

  test::TempDir m_folder;
  std::unique_ptr<Model> m_model;
};

TEST_F(Operations, ChangeNothingThatTheOtherLevelsShow) {
  RunRequest asked = request();
  const Recorder operations = runOrFail(*m_model, asked);
  asked.level = Level::Module;
  const Recorder modules = runOrFail(*m_model, asked);
  EXPECT_GT(operations.seen.size(), modules.seen.size());
  for (const Seen& one : modules.seen) {
    EXPECT_EQ(operations.of(one.site.name, one.site.pass).bytes, one.bytes)
        << one.site.name << ' ' << toString(one.site.pass);
  }
}

TEST_F(Operations, HaveTheShapesOfTransformers) {
  const Recorder run = runOrFail(*m_model, request());
  const auto shape = [&](const std::string& name) {
    return run.of(kLayer + name, Pass::Forward).capture.view.shape;
  };
  const auto heads = shape("self_attn.rotary.query")[1];
  EXPECT_EQ(shape("self_attn.scores"), (std::vector<std::int64_t>{2, heads, 9, 9}));
  EXPECT_EQ(shape("self_attn.softmax"), shape("self_attn.scores"));
  EXPECT_EQ(shape("input_layernorm.variance"), (std::vector<std::int64_t>{2, 9, 1}));
  EXPECT_EQ(shape("self_attn.rotary.cos"),
            run.of("model.rotary_emb.cos", Pass::Forward).capture.view.shape);
}

TEST_F(Operations, AreWhatTheNextModuleReads) {
  const Recorder run = runOrFail(*m_model, request());
  const auto gradient = [&](const std::string& name) -> const std::vector<std::byte>& {
    return run.of(kLayer + name, Pass::Backward).bytes;
  };
  EXPECT_EQ(gradient("self_attn.attn_output"), gradient("self_attn.o_proj"));
  EXPECT_EQ(gradient("mlp.product"), gradient("mlp.down_proj"));
}

TEST_F(Operations, WeightsOfAttentionAddUpToOneAndLookBackOnly) {
  const Recorder run = runOrFail(*m_model, request(DType::Float64));
  const Seen& weights = run.of(kLayer + "self_attn.softmax", Pass::Forward);
  for (std::size_t row = 0; row < weights.count() / 9; ++row) {
    double sum = 0;
    for (std::size_t key = 0; key < 9; ++key) {
      sum += weights.at(row * 9 + key);
      EXPECT_TRUE(key <= row % 9 || weights.at(row * 9 + key) == 0);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST_F(Operations, ResidualsInTheMiddleAreTheSumOfStreamAndAttention) {
  const Recorder run = runOrFail(*m_model, request(DType::Float64));
  const Seen& middle = run.of(kLayer + "residual_mid", Pass::Forward);
  const Seen& before = run.of("decoder.0", Pass::Forward);
  const Seen& attention = run.of(kLayer + "self_attn", Pass::Forward);
  for (std::size_t i = 0; i < middle.count(); ++i) {
    ASSERT_EQ(middle.at(i), before.at(i) + attention.at(i));
  }
}

TEST_F(Operations, FusedKernelsKeepTheirsToThemselves) {
  RunRequest asked = request();
  asked.plan.attention = AttentionImplementation::Sdpa;
  asked.plan.norm = Kernel::Fused;
  const Recorder run = runOrFail(*m_model, asked);
  EXPECT_FALSE(has(run, kLayer + "self_attn.scores"));
  EXPECT_FALSE(has(run, kLayer + "self_attn.softmax"));
  EXPECT_FALSE(has(run, kLayer + "input_layernorm.variance"));
  EXPECT_TRUE(has(run, kLayer + "self_attn.attn_output"));
}

TEST_F(Operations, FastLlmShowsItsScoresByHead) {
  RunRequest asked = request(DType::Float64);
  const Recorder transformers = runOrFail(*m_model, asked);
  asked.plan.semantics = Semantics::FastLlm;
  const Recorder fastLlm = runOrFail(*m_model, asked);
  expectAnnounced(fastLlm);
  for (const Pass pass : {Pass::Forward, Pass::Backward}) {
    for (const char* name : {"self_attn.scores", "self_attn.softmax"}) {
      EXPECT_LT(
          relativeError(transformers.of(kLayer + name, pass), fastLlm.of(kLayer + name, pass)),
          1e-10)
          << name << ' ' << toString(pass);
    }
  }
}

TEST_F(Operations, CastOfTheModuleRoundsTheInverseFrequencies) {
  RunRequest asked = request();
  const Recorder loaded = runOrFail(*m_model, asked);
  asked.plan.cast = Cast::Module;
  const Recorder cast = runOrFail(*m_model, asked);
  const auto dtype = [](const Recorder& run) {
    return run.of("model.rotary_emb.inv_freq", Pass::Forward).capture.view.dtype;
  };
  EXPECT_EQ(dtype(loaded), DType::Float32);
  EXPECT_EQ(dtype(cast), DType::BFloat16);
}

/// A rule for the backward pass alone makes it compute the operations anew.
TEST_F(Operations, OfSplitPassesAreShownOnceInOrder) {
  RunRequest asked = request();
  PrecisionRule rule;
  rule.match = R"(layers\.1\.)";
  rule.passes = PrecisionRule::Passes::Backward;
  rule.formats[numerics::Operation::Compute] = numerics::NumberFormat::Float32;
  asked.plan.rules = {rule};
  const Recorder split = runOrFail(*m_model, asked);
  expectAnnounced(split);
  const Seen& forward = split.of(kLayer + "self_attn.scores", Pass::Forward);
  const Seen& backward = split.of(kLayer + "self_attn.scores", Pass::Backward);
  EXPECT_EQ(forward.capture.view.dtype, DType::BFloat16);
  EXPECT_EQ(backward.capture.view.dtype, DType::Float32);
}

}  // namespace
}  // namespace ulp::engine
