#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/core/engine/engine_fixture.h"
#include "tests/core/engine/tiny_model.h"

namespace ulp::engine {
namespace {

using numerics::NumberFormat;
using numerics::Operation;

constexpr const char* kWeight = "model.layers.0.mlp.down_proj.weight";

class OptimizerSteps : public ::testing::Test {
 protected:
  void SetUp() override {
    m_tiny.write(m_folder);
    m_model = openOrFail({.path = m_folder.path()});
  }

  static RunRequest adamW(DType compute = DType::Float32) {
    RunRequest request = requestOf(compute, kVocabulary);
    request.optimizer.type = OptimizerPlan::Type::AdamW;
    return request;
  }

  TinyModel m_tiny;
  test::TempDir m_folder;
  std::unique_ptr<Model> m_model;
};

TEST_F(OptimizerSteps, StandBehindTheGradientsInTheAnnouncedOrder) {
  const RunRequest request = adamW();
  const std::vector<Site> announced = m_model->sites(request);
  const Recorder recorder = runOrFail(*m_model, request);
  EXPECT_EQ(recorder.asked, announced);
  ASSERT_EQ(recorder.seen.size(), announced.size());
  for (std::size_t i = 0; i < announced.size(); ++i) {
    EXPECT_EQ(recorder.seen[i].site, announced[i]) << announced[i].name;
  }
  EXPECT_EQ(announced.back(),
            (Site{"lm_head.weight.update", "lm_head", -1, Level::Module, Pass::Optimizer}));
}

TEST_F(OptimizerSteps, AreThoseOfAdamWFromZeroState) {
  const Recorder recorder = runOrFail(*m_model, adamW());
  const Seen& gradient = recorder.of(kWeight, Pass::ParameterGradient);
  const std::string name = kWeight;
  const Seen& average = recorder.of(name + ".exp_avg", Pass::Optimizer);
  const Seen& square = recorder.of(name + ".exp_avg_sq", Pass::Optimizer);
  const Seen& update = recorder.of(name + ".update", Pass::Optimizer);
  const TinyTensor& weight = m_tiny.weights.at(kWeight);
  for (std::size_t i = 0; i < gradient.count(); ++i) {
    const double g = gradient.at(i);
    EXPECT_FLOAT_EQ(static_cast<float>(average.at(i)), static_cast<float>(0.1 * g));
    EXPECT_FLOAT_EQ(static_cast<float>(square.at(i)), static_cast<float>(0.001 * g * g));
    // Both corrected for their bias are g and g^2.
    const double expected = -1e-3 * (0.01 * weight.values[i] + g / (std::abs(g) + 1e-8));
    EXPECT_NEAR(update.at(i), expected, 1e-7);
  }
}

TEST_F(OptimizerSteps, AreThoseOfSgdWithMomentum) {
  RunRequest request = adamW();
  request.optimizer = {
      .type = OptimizerPlan::Type::Sgd, .learningRate = 0.5, .weightDecay = 0.25, .momentum = 0.9};
  const Recorder recorder = runOrFail(*m_model, request);
  const Seen& gradient = recorder.of(kWeight, Pass::ParameterGradient);
  const std::string name = kWeight;
  const Seen& momentum = recorder.of(name + ".momentum", Pass::Optimizer);
  const Seen& update = recorder.of(name + ".update", Pass::Optimizer);
  const TinyTensor& weight = m_tiny.weights.at(kWeight);
  for (std::size_t i = 0; i < gradient.count(); ++i) {
    const double decayed = gradient.at(i) + 0.25 * weight.values[i];
    EXPECT_NEAR(momentum.at(i), decayed, 1e-7);
    EXPECT_NEAR(update.at(i), -0.5 * decayed, 1e-7);
  }
}

TEST_F(OptimizerSteps, OfSgdWithoutMomentumKeepNoState) {
  RunRequest request = adamW();
  request.optimizer = {.type = OptimizerPlan::Type::Sgd, .weightDecay = 0};
  for (const Site& site : m_model->sites(request)) {
    EXPECT_TRUE(site.pass != Pass::Optimizer || site.name.ends_with(".update")) << site.name;
  }
  const Recorder recorder = runOrFail(*m_model, request);
  const Seen& update = recorder.of(std::string(kWeight) + ".update", Pass::Optimizer);
  EXPECT_NEAR(update.at(3), -1e-3 * recorder.of(kWeight, Pass::ParameterGradient).at(3), 1e-7);
}

TEST_F(OptimizerSteps, RoundTheirStateToItsFormatBeforeTheyReadIt) {
  RunRequest request = adamW();
  const Recorder exact = runOrFail(*m_model, request);
  request.plan.formats[Operation::Optimizer] = NumberFormat::BFloat16;
  const Recorder rounded = runOrFail(*m_model, request);
  const std::string name = kWeight;
  const Seen& square = rounded.of(name + ".exp_avg_sq", Pass::Optimizer);
  EXPECT_EQ(square.capture.view.dtype, DType::BFloat16);
  EXPECT_EQ(rounded.of(name + ".update", Pass::Optimizer).capture.view.dtype, DType::Float32);
  const double state = relativeError(exact.of(name + ".exp_avg_sq", Pass::Optimizer), square);
  EXPECT_GT(state, 1e-4);
  EXPECT_LT(state, 1.0 / 256);
  const double update = relativeError(exact.of(name + ".update", Pass::Optimizer),
                                      rounded.of(name + ".update", Pass::Optimizer));
  EXPECT_GT(update, 1e-4);
  EXPECT_LT(update, 1.0 / 128);
  EXPECT_EQ(exact.of(kWeight, Pass::ParameterGradient).bytes,
            rounded.of(kWeight, Pass::ParameterGradient).bytes);
}

/// Squares of gradients below 2.4e-4 times 1 - beta2 lie below the smallest number of float16.
TEST_F(OptimizerSteps, ExplodeWhereTheSquaresVanishInFloat16) {
  RunRequest request = adamW();
  request.loss.terms = {{.type = "cross_entropy", .weight = 1.0 / 1024}};
  const Recorder exact = runOrFail(*m_model, request);
  request.plan.formats[Operation::Optimizer] = NumberFormat::Float16;
  const Recorder half = runOrFail(*m_model, request);
  const std::string name = kWeight;
  const Seen& square = half.of(name + ".exp_avg_sq", Pass::Optimizer);
  double vanished = 0;
  double largest = 0;
  double usual = 0;
  for (std::size_t i = 0; i < square.count(); ++i) {
    vanished += square.at(i) == 0 ? 1 : 0;
    largest = std::max(largest, std::abs(half.of(name + ".update", Pass::Optimizer).at(i)));
    usual = std::max(usual, std::abs(exact.of(name + ".update", Pass::Optimizer).at(i)));
  }
  EXPECT_GT(vanished / static_cast<double>(square.count()), 0.9);
  EXPECT_LT(usual, 2e-3) << "the learning rate and a little decay";
  EXPECT_GT(largest, 1) << "the average divided by epsilon alone";
}

TEST_F(OptimizerSteps, KeepFloat64InARunOfFloat64) {
  const Recorder recorder = runOrFail(*m_model, adamW(DType::Float64));
  for (const char* tensor : {".exp_avg", ".exp_avg_sq", ".update"}) {
    EXPECT_EQ(recorder.of(std::string(kWeight) + tensor, Pass::Optimizer).capture.view.dtype,
              DType::Float64);
  }
}

TEST_F(OptimizerSteps, TakeTheGradientsWithoutTheirScale) {
  RunRequest request = adamW();
  const Recorder plain = runOrFail(*m_model, request);
  request.plan.gradientScale = 1024;
  const Recorder scaled = runOrFail(*m_model, request);
  for (const char* tensor : {".exp_avg", ".exp_avg_sq", ".update"}) {
    const std::string name = std::string(kWeight) + tensor;
    EXPECT_EQ(plain.of(name, Pass::Optimizer).bytes, scaled.of(name, Pass::Optimizer).bytes);
  }
}

TEST_F(OptimizerSteps, FollowRulesOfTheParametersModule) {
  RunRequest request = adamW();
  PrecisionRule rule{.match = "layers.0.mlp.down_proj$", .formats = {}};
  rule.formats[Operation::Optimizer] = NumberFormat::BFloat16;
  request.plan.rules = {rule};
  const Recorder recorder = runOrFail(*m_model, request);
  const auto dtypeOf = [&](const std::string& name) {
    return recorder.of(name, Pass::Optimizer).capture.view.dtype;
  };
  EXPECT_EQ(dtypeOf("model.layers.0.mlp.down_proj.weight.exp_avg"), DType::BFloat16);
  EXPECT_EQ(dtypeOf("model.layers.1.mlp.down_proj.weight.exp_avg"), DType::Float32);
}

TEST_F(OptimizerSteps, NeedNobodyWhoLooksAtTheGradients) {
  const Recorder all = runOrFail(*m_model, adamW());
  RunRequest request = adamW();
  request.parameterGradients = false;
  Recorder one;
  one.filter = [](const Site& site) { return site.name == std::string(kWeight) + ".update"; };
  ASSERT_TRUE(m_model->run(request, one, std::stop_token()));
  ASSERT_EQ(one.seen.size(), 1U);
  EXPECT_EQ(one.seen[0].bytes, all.of(one.seen[0].site.name, Pass::Optimizer).bytes);
}

TEST_F(OptimizerSteps, CanBeTakenAgainBitForBit) {
  RunRequest request = adamW(DType::BFloat16);
  request.plan.formats[Operation::Optimizer] = NumberFormat::BFloat16;
  request.plan.rounding = numerics::RoundingMode::Stochastic;
  request.plan.gradientScale = 64;
  const Recorder recorder = runOrFail(*m_model, request);
  int again = 0;
  for (const Seen& seen : recorder.seen) {
    if (seen.site.pass == Pass::Optimizer) {
      ASSERT_TRUE(seen.capture.again) << seen.site.name;
      const Capture repeated = seen.capture.again();
      const auto bytes = repeated.view.bytes();
      EXPECT_EQ(seen.bytes, std::vector<std::byte>(bytes.begin(), bytes.end())) << seen.site.name;
      ++again;
    }
  }
  EXPECT_EQ(again, 3 * 21);
}

TEST_F(OptimizerSteps, LeaveTheWeightsAsTheyAre) {
  const Recorder before = runOrFail(*m_model, requestOf(DType::Float32, kVocabulary));
  runOrFail(*m_model, adamW());
  expectSameRuns(before, runOrFail(*m_model, requestOf(DType::Float32, kVocabulary)));
}

}  // namespace
}  // namespace ulp::engine
