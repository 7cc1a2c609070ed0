#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

namespace ulp::engine {
namespace {

class ForwardOnly : public ::testing::Test {
 protected:
  void SetUp() override {
    TinyModel().write(m_folder);
    m_model = openOrFail({.path = m_folder.path()});
  }

  static RunRequest forwardOnly(RunRequest request) {
    request.backward = false;
    return request;
  }

  /// The outcome of a run, of which `recorder` keeps the tensors.
  RunOutcome run(const RunRequest& request, Recorder& recorder) {
    auto outcome = m_model->run(request, recorder, std::stop_token());
    EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().message());
    return outcome.value_or(RunOutcome{});
  }

  void expectSameForward(const RunRequest& request) {
    Recorder both;
    Recorder one;
    const RunOutcome whole = run(request, both);
    const RunOutcome forward = run(forwardOnly(request), one);
    std::erase_if(both.seen, [](const Seen& seen) { return seen.site.pass != Pass::Forward; });
    expectSameRuns(both, one);
    EXPECT_EQ(forward.loss, whole.loss);
    EXPECT_EQ(forward.tokens.logProbabilities, whole.tokens.logProbabilities);
    EXPECT_EQ(forward.labels, whole.labels);
  }

  test::TempDir m_folder;
  std::unique_ptr<Model> m_model;
};

TEST_F(ForwardOnly, AnnouncesAndShowsTheForwardPassAlone) {
  for (const Level level : {Level::Layer, Level::Module, Level::Op}) {
    RunRequest request = forwardOnly(requestOf(DType::Float32, kVocabulary));
    request.plan.attention = AttentionImplementation::Eager;
    request.level = level;
    request.optimizer.type = OptimizerPlan::Type::AdamW;
    Recorder recorder;
    run(request, recorder);
    const std::vector<Site> announced = m_model->sites(request);
    EXPECT_EQ(recorder.asked, announced);
    ASSERT_EQ(recorder.seen.size(), announced.size());
    EXPECT_TRUE(std::ranges::all_of(announced,
                                    [](const Site& site) { return site.pass == Pass::Forward; }));
  }
}

TEST_F(ForwardOnly, HasTheForwardPassOfARunWithBothBitForBit) {
  for (const DType dtype : {DType::Float64, DType::Float32, DType::BFloat16, DType::Float16}) {
    for (const AttentionImplementation attention :
         {AttentionImplementation::Eager, AttentionImplementation::Sdpa}) {
      RunRequest request = requestOf(dtype, kVocabulary);
      request.plan.attention = attention;
      request.level = Level::Op;
      SCOPED_TRACE(toString(dtype));
      expectSameForward(request);
    }
  }
}

TEST_F(ForwardOnly, HasItInFormatsThatDifferBetweenThePassesAndInSimulatedOnes) {
  RunRequest request = requestOf(DType::BFloat16, kVocabulary);
  PrecisionRule rule{.match = "mlp", .passes = PrecisionRule::Passes::Forward, .formats = {}};
  rule.formats[numerics::Operation::Compute] = numerics::NumberFormat::Mxfp8;
  request.plan.rules = {rule};
  expectSameForward(request);
  request.plan.semantics = Semantics::FastLlm;
  expectSameForward(request);
}

TEST_F(ForwardOnly, HasItOfEveryLossAndOfSeveralMicroBatches) {
  RunRequest request = requestOf(DType::Float32, kVocabulary);
  TokenBatch tokens = request.microBatches.back();
  tokens.policy.advantages.assign(tokens.ids.size(), 0.5F);
  tokens.policy.oldLogProbabilities.assign(tokens.ids.size(), -3.5F);
  request.microBatches.assign(3, tokens);
  request.loss.terms.clear();
  for (const char* type : {"cross_entropy", "z_loss", "grpo", "gspo", "gspo_length_weighted"}) {
    request.loss.terms.push_back({.type = type});
  }
  for (const Semantics semantics : {Semantics::Transformers, Semantics::FastLlm}) {
    request.plan.semantics = semantics;
    expectSameForward(request);
  }
}

TEST_F(ForwardOnly, LooksForNoGradientScale) {
  RunRequest request = forwardOnly(requestOf(DType::Float16, kVocabulary));
  request.plan.gradientScale.reset();
  Recorder recorder;
  EXPECT_EQ(run(request, recorder).gradientScale, 1);
}

}  // namespace
}  // namespace ulp::engine
