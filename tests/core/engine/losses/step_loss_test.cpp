#include "core/engine/losses/step_loss.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/engine/losses/label_layout.h"

namespace ulp::engine {
namespace {

constexpr std::int64_t kVocabulary = 11;

at::Tensor drawn(std::vector<std::int64_t> shape, std::uint64_t seed) {
  return at::randn(
      shape, at::detail::createCPUGenerator(seed), at::TensorOptions().dtype(at::kDouble));
}

/// One sequence of two documents and padding.
TokenBatch packed(std::uint64_t seed = 3) {
  TokenBatch tokens;
  tokens.length = 12;
  const at::Tensor ids = at::randint(0,
                                     kVocabulary,
                                     {tokens.length + 1},
                                     at::detail::createCPUGenerator(seed),
                                     at::TensorOptions().dtype(at::kLong));
  tokens.ids.assign(ids.const_data_ptr<std::int64_t>(),
                    ids.const_data_ptr<std::int64_t>() + ids.numel());
  tokens.documents = {.lengths = {4, 7}, .padding = 2, .unlabelled = {{5, 6}}};
  for (std::int64_t token = 0; token <= tokens.length; ++token) {
    tokens.policy.advantages.push_back(token < 4 ? 0.7F : -1.3F);
    tokens.policy.oldLogProbabilities.push_back(-2.0F - 0.1F * static_cast<float>(token));
  }
  return tokens;
}

StepTotals totalsOf(const std::vector<TokenBatch>& batches) {
  StepTotals totals{.microBatches = static_cast<std::int64_t>(batches.size())};
  for (const TokenBatch& tokens : batches) {
    const LabelLayout layout = layOutLabels(tokens).value();
    totals.labels += layout.labelTotal;
    totals.documents += layout.documents;
  }
  return totals;
}

struct Step {
  std::vector<at::Tensor> gradients;
  double loss = 0;
  RunOutcome outcome;
};

Step evaluate(const LossPlan& plan,
              const std::vector<TokenBatch>& batches,
              const std::vector<at::Tensor>& logits,
              double gradientScale = 1,
              CrossEntropyKernel kernel = CrossEntropyKernel::Transformers) {
  LossRegistry registry;
  registerBuiltin(registry);
  StepLoss loss = StepLoss::create(registry, plan, totalsOf(batches), kernel).value();
  Step step;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const auto math = logits[i].scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const Labels labels = labelsOn(batches[i], layOutLabels(batches[i]).value(), at::kCPU, math);
    const LossEvaluation evaluation =
        loss.evaluate(logits[i].to(math), labels, logits[i].scalar_type(), gradientScale);
    loss.record(evaluation, labels);
    step.gradients.push_back(evaluation.gradient);
  }
  step.loss = loss.value().item<double>();
  loss.describe(step.outcome);
  return step;
}

LossPlan planOf(const std::string& type, double scale = 1) {
  return {.terms = {{.type = type}}, .logitsScale = scale};
}

class EveryLoss : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryLoss, HasTheGradientOfItsValue) {
  for (const CrossEntropyKernel kernel :
       {CrossEntropyKernel::Transformers, CrossEntropyKernel::FastLlm}) {
    LossPlan plan = planOf(GetParam(), 0.8);
    plan.terms.front().epsilonLow = plan.terms.front().epsilonHigh = 0.9;
    const at::Tensor logits = drawn({12, kVocabulary}, 5);
    const at::Tensor direction = drawn({12, kVocabulary}, 6);
    constexpr double kStep = 1e-5;
    const double above = evaluate(plan, {packed()}, {logits + direction * kStep}, 1, kernel).loss;
    const double below = evaluate(plan, {packed()}, {logits - direction * kStep}, 1, kernel).loss;
    const Step at = evaluate(plan, {packed()}, {logits}, 1, kernel);
    const auto slope = (at.gradients.front() * direction).sum().item<double>();
    EXPECT_NEAR(slope, (above - below) / (2 * kStep), 1e-7 + 1e-5 * std::abs(slope));
    EXPECT_NE(slope, 0);
  }
}

TEST_P(EveryLoss, LeavesTokensWithoutALabelAlone) {
  LossPlan plan = planOf(GetParam());
  plan.terms.front().epsilonLow = 1;
  plan.terms.front().epsilonHigh = 1e9;
  const Step step = evaluate(plan, {packed()}, {drawn({12, kVocabulary}, 5)});
  const auto& isLabel = step.outcome.tokens.isLabel;
  EXPECT_THAT(isLabel, ::testing::ElementsAre(1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0));
  for (std::int64_t token = 0; token < 12; ++token) {
    const bool isZero = step.gradients.front()[token].abs().max().item<double>() == 0;
    EXPECT_EQ(isZero, isLabel[static_cast<std::size_t>(token)] == 0) << token;
  }
}

TEST_P(EveryLoss, SaysTheLogProbabilityOfEachLabel) {
  const at::Tensor logits = drawn({12, kVocabulary}, 5);
  const TokenBatch tokens = packed();
  const Step step = evaluate(planOf(GetParam(), 0.5), {tokens}, {logits});
  const at::Tensor expected = at::log_softmax(logits * 0.5, 1);
  for (std::int64_t token = 0; token < 12; ++token) {
    const auto i = static_cast<std::size_t>(token);
    if (step.outcome.tokens.isLabel[i] != 0) {
      EXPECT_NEAR(step.outcome.tokens.logProbabilities[i],
                  expected[token][tokens.ids[i + 1]].item<double>(),
                  1e-12);
    }
  }
}

TEST_P(EveryLoss, OfTwoMicroBatchesIsTheirSumOverTheTotalsOfTheStep) {
  const LossPlan plan = planOf(GetParam());
  const std::vector<TokenBatch> batches{packed(3), packed(4)};
  const std::vector<at::Tensor> logits{drawn({12, kVocabulary}, 5), drawn({12, kVocabulary}, 6)};
  TokenBatch both = packed(3);
  both.batch = 2;
  both.ids.insert(both.ids.end(), batches[1].ids.begin(), batches[1].ids.end());
  for (auto* numbers : {&both.policy.advantages, &both.policy.oldLogProbabilities}) {
    const std::vector<float> once = *numbers;
    numbers->insert(numbers->end(), once.begin(), once.end());
  }
  const Step whole = evaluate(plan, {both}, {at::cat(logits)});
  const Step split = evaluate(plan, batches, logits);
  EXPECT_NEAR(split.loss, whole.loss, 1e-13);
  EXPECT_TRUE(at::allclose(at::cat(split.gradients), whole.gradients.front(), 1e-13, 1e-16));
  EXPECT_EQ(split.outcome.labels, whole.outcome.labels);
  EXPECT_EQ(split.outcome.documents, 4);
  const auto& metrics = split.outcome.terms.front().metrics;
  ASSERT_EQ(metrics.size(), whole.outcome.terms.front().metrics.size());
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    EXPECT_NEAR(metrics[i].value, whole.outcome.terms.front().metrics[i].value, 1e-7)
        << metrics[i].name;
  }
}

std::vector<std::string> builtinLosses() {
  LossRegistry registry;
  registerBuiltin(registry);
  std::vector<std::string> ids;
  for (const Loss& loss : registry.all()) {
    ids.emplace_back(loss.id);
  }
  return ids;
}

INSTANTIATE_TEST_SUITE_P(Builtin,
                         EveryLoss,
                         ::testing::ValuesIn(builtinLosses()),
                         [](const auto& one) { return one.param; });

TEST(StepLoss, CrossEntropyIsThatOfTorchBitForBit) {
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf}) {
    const TokenBatch tokens = packed();
    const at::Tensor logits = drawn({12, kVocabulary}, 5).to(type);
    const Step step = evaluate(planOf("cross_entropy"), {tokens}, {logits});
    const c10::AutoGradMode withGraph(true);
    const at::Tensor leaf = logits.detach().clone().requires_grad_(true);
    const Labels labels = labelsOn(tokens, layOutLabels(tokens).value(), at::kCPU, at::kFloat);
    const at::Tensor loss = at::cross_entropy_loss(leaf.to(at::kFloat), labels.ids);
    loss.backward();
    EXPECT_EQ(step.loss, loss.item<double>());
    EXPECT_TRUE(at::equal(step.gradients.front(), leaf.grad()));
  }
}

TEST(StepLoss, AddsItsTermsWithTheirWeights) {
  const at::Tensor logits = drawn({12, kVocabulary}, 5);
  const LossPlan plan{.terms = {{.type = "cross_entropy", .weight = 0.1},
                                {.type = "gspo", .epsilonLow = 0.1, .epsilonHigh = 0.3},
                                {.type = "z_loss", .weight = 1e-3}}};
  const Step sum = evaluate(plan, {packed()}, {logits});
  double value = 0;
  at::Tensor gradient = at::zeros_like(logits);
  for (const LossTerm& term : plan.terms) {
    const Step one = evaluate({.terms = {term}}, {packed()}, {logits});
    value += one.loss;
    gradient = gradient + one.gradients.front();
  }
  EXPECT_NEAR(sum.loss, value, 1e-13);
  EXPECT_TRUE(at::allclose(sum.gradients.front(), gradient, 1e-13, 1e-16));
  ASSERT_EQ(sum.outcome.terms.size(), 3U);
  EXPECT_EQ(sum.outcome.terms[2].term.type, "z_loss");
  EXPECT_NEAR(0.1 * sum.outcome.terms[0].value + sum.outcome.terms[1].value +
                  1e-3 * sum.outcome.terms[2].value,
              sum.loss,
              1e-13);
}

TEST(StepLoss, TheGradientScaleMultipliesTheGradientAlone) {
  for (const char* type : {"cross_entropy", "gspo"}) {
    const at::Tensor logits = drawn({12, kVocabulary}, 5);
    const Step plain = evaluate(planOf(type), {packed()}, {logits});
    const Step scaled = evaluate(planOf(type), {packed()}, {logits}, 4096);
    EXPECT_EQ(scaled.loss, plain.loss);
    EXPECT_TRUE(at::allclose(scaled.gradients.front(), plain.gradients.front() * 4096));
  }
}

TEST(StepLoss, ALossThatIsAttachedGivesItsGradientToTheLogits) {
  const c10::AutoGradMode withGraph(true);
  const at::Tensor weight = drawn({12, kVocabulary}, 5).requires_grad_(true);
  const at::Tensor logits = (weight * 2).to(at::kFloat);
  std::vector<double> asked;
  const at::Tensor loss =
      attachLoss(logits, at::scalar_tensor(1.5, at::kFloat), [&](double gradientScale) {
        asked.push_back(gradientScale);
        return at::full_like(logits, 3 * gradientScale);
      });
  EXPECT_EQ(loss.item<double>(), 1.5);
  loss.backward(at::scalar_tensor(8.0, at::kFloat), true);
  loss.backward();
  EXPECT_THAT(asked, ::testing::ElementsAre(8, 1));
  EXPECT_TRUE(at::equal(weight.grad(), at::full_like(weight, 6 * 9)));
}

/// Logits and old log-probabilities whose ratios are known.
TokenBatch withRatios(const at::Tensor& logits, const std::vector<double>& ratios) {
  TokenBatch tokens;
  tokens.length = static_cast<std::int64_t>(ratios.size());
  tokens.ids.assign(ratios.size() + 1, 1);
  const at::Tensor own = at::log_softmax(logits, 1);
  tokens.policy.advantages.assign(1, 0);
  tokens.policy.oldLogProbabilities.assign(1, 0);
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    const auto position = static_cast<std::int64_t>(i);
    tokens.policy.advantages.push_back(1);
    tokens.policy.oldLogProbabilities.push_back(
        static_cast<float>(own[position][1].item<double>() - std::log(ratios[i])));
  }
  return tokens;
}

TEST(StepLoss, GrpoSaysWhatItsClipRangeDidToEachToken) {
  const at::Tensor logits = drawn({4, kVocabulary}, 8);
  TokenBatch tokens = withRatios(logits, {0.5, 1.0, 1.5, 1.5});
  tokens.policy.advantages[4] = -1;
  const Step step = evaluate(planOf("grpo"), {tokens}, {logits});
  const ClipDecisions& clips = step.outcome.terms.front().clips;
  EXPECT_EQ(clips.unit, ClipDecisions::Unit::Token);
  EXPECT_THAT(clips.region, ::testing::ElementsAre(-1, 0, 1, 1));
  // A ratio above the range stops a positive advantage, one below a negative.
  EXPECT_THAT(clips.stopped, ::testing::ElementsAre(0, 0, 1, 0));
  EXPECT_EQ(step.gradients.front()[2].abs().max().item<double>(), 0);
  EXPECT_GT(step.gradients.front()[3].abs().max().item<double>(), 0);
}

TEST(StepLoss, GspoClipsWholeDocuments) {
  const at::Tensor logits = drawn({5, kVocabulary}, 8);
  TokenBatch tokens = withRatios(logits, {2.0, 1.0, 1.0, 1.1, 1.1});
  tokens.documents.lengths = {3, 3};
  const Step step = evaluate(planOf("gspo"), {tokens}, {logits});
  const ClipDecisions& clips = step.outcome.terms.front().clips;
  EXPECT_EQ(clips.unit, ClipDecisions::Unit::Document);
  EXPECT_THAT(clips.region, ::testing::ElementsAre(1, 0));
  EXPECT_THAT(clips.stopped, ::testing::ElementsAre(1, 0));
}

TEST(StepLoss, AReferenceCanBeItsOwnOldPolicy) {
  const at::Tensor logits = drawn({12, kVocabulary}, 5).to(at::kFloat);
  TokenBatch own = packed();
  own.policy.oldIsOwn = true;
  std::fill(own.policy.oldLogProbabilities.begin(), own.policy.oldLogProbabilities.end(), 0.25F);
  const Step first = evaluate(planOf("grpo"), {own}, {logits});
  TokenBatch given = packed();
  for (std::size_t i = 0; i < 12; ++i) {
    given.policy.oldLogProbabilities[i + 1] =
        static_cast<float>(first.outcome.tokens.logProbabilities[i]) + 0.25F;
  }
  const Step second = evaluate(planOf("grpo"), {given}, {logits});
  EXPECT_EQ(first.loss, second.loss);
  EXPECT_TRUE(at::equal(first.gradients.front(), second.gradients.front()));
}

TEST(StepLoss, AnUnknownLossIsRefusedWithThoseThatThereAre) {
  LossRegistry registry;
  registerBuiltin(registry);
  const auto loss = StepLoss::create(registry, planOf("grop"), {}, CrossEntropyKernel::FastLlm);
  ASSERT_FALSE(loss);
  EXPECT_EQ(loss.error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(loss.error().message(),
            "loss: 'grop' is no loss; there are cross_entropy, grpo, gspo, gspo_length_weighted, "
            "z_loss");
}

}  // namespace
}  // namespace ulp::engine
