// The losses on the logits of stored runs of Fast-LLM. On another kind of processor than theirs the
// last bit of an exponential may differ; there the bounds hold.

#include <array>
#include <cmath>
#include <map>
#include <string>

#include <ATen/ATen.h>
#include <ATen/Version.h>
#include <gtest/gtest.h>

#include "core/engine/losses/label_layout.h"
#include "core/engine/losses/step_loss.h"
#include "tests/core/engine/losses/fast_llm_case.h"

namespace ulp::engine {
namespace {

struct StoredLoss {
  const char* name;  ///< of the case
  const char* type;
  const char* metrics = "";  ///< prefix in expected.json
};

class FastLlmLosses : public ::testing::TestWithParam<StoredLoss> {};
class FastLlmMetrics : public ::testing::TestWithParam<StoredLoss> {};

constexpr std::array<const char*, 5> kRuns{
    "reference", "bf16", "bf16_fp32_residual", "bf16_fp32_lm_head", "bf16_max_precision"};

struct Evaluated {
  at::Tensor gradient;
  RunOutcome outcome;
};

Evaluated evaluate(const TokenBatch& tokens, const LossPlan& plan, const at::Tensor& logits) {
  LossRegistry registry;
  registerBuiltin(registry);
  const LabelLayout layout = layOutLabels(tokens).value();
  const StepTotals totals{.labels = layout.labelTotal, .documents = layout.documents};
  StepLoss loss = StepLoss::create(registry, plan, totals, CrossEntropyKernel::FastLlm).value();
  Evaluated result;
  const Labels labels = labelsOn(tokens, layout, at::kCPU, at::kFloat);
  const LossEvaluation evaluation =
      loss.evaluate(logits.to(at::kFloat), labels, logits.scalar_type());
  loss.record(evaluation, labels);
  result.gradient = evaluation.gradient;
  result.outcome.loss = loss.value().item<double>();
  loss.describe(result.outcome);
  return result;
}

/// The fixtures were made on an Intel processor with AVX-512; MKL computes exponentials in other
/// ways on those of others.
bool hasTheirInstructions() {
  __builtin_cpu_init();
  return __builtin_cpu_is("intel") != 0 && at::get_cpu_capability() == "AVX512";
}

double relativeError(const at::Tensor& reference, const at::Tensor& mine) {
  const at::Tensor r = reference.to(at::kDouble);
  const auto scale = r.pow(2).mean().sqrt().item<double>();
  const auto difference = (mine.to(at::kDouble) - r).pow(2).mean().sqrt().item<double>();
  return scale == 0 ? difference : difference / scale;
}

TEST_P(FastLlmLosses, GiveTheStoredValueAndGradient) {
  const StoredLoss& stored = GetParam();
  const FastLlmCase fixture(stored.name);
  const TokenBatch tokens = fixture.tokens(std::string(stored.type) != "cross_entropy");
  const LossPlan plan{.terms = {{.type = stored.type}}};
  for (const char* run : kRuns) {
    const std::string file = std::string("full_") + run;
    const at::Tensor expected = fixture.tensor(file, "Global : head.logits.grad");
    const Evaluated mine = evaluate(tokens, plan, fixture.tensor(file, "Global : head.logits"));
    ASSERT_EQ(mine.gradient.scalar_type(), expected.scalar_type());
    const auto value = fixture.tensor(file, "Global head fw: head output").item<double>();
    if (hasTheirInstructions()) {
      EXPECT_TRUE(at::equal(mine.gradient, expected)) << run;
      EXPECT_EQ(mine.outcome.loss, value) << run;
    } else {
      const double bound = expected.scalar_type() == at::kFloat ? 1e-6 : 2e-3;
      EXPECT_LE(relativeError(expected, mine.gradient), bound) << run;
      EXPECT_NEAR(mine.outcome.loss, value, 2e-6 * std::abs(value)) << run;
    }
  }
}

/// Without `metrics: with_entropy` in its configuration Fast-LLM gives new_logprobs alone.
int storedMetrics(const StoredLoss& stored) {
  const bool isGspo = std::string(stored.metrics) == "gspo";
  return std::string(stored.type) == "gspo" ? 1 : isGspo ? 13 : 12;
}

TEST_P(FastLlmMetrics, AreTheStoredOnes) {
  const StoredLoss& stored = GetParam();
  const FastLlmCase fixture(stored.name);
  const TokenBatch tokens = fixture.tokens(true);
  const auto expected = fixture.expected();
  for (const char* run : kRuns) {
    const at::Tensor logits = fixture.tensor(std::string("full_") + run, "Global : head.logits");
    const Evaluated mine = evaluate(tokens, {.terms = {{.type = stored.type}}}, logits);
    const auto& losses = expected.at("runs").at(run).at("losses");
    int compared = 0;
    for (const LossMetric& metric : mine.outcome.terms.front().metrics) {
      const auto found = losses.find(std::string(stored.metrics) + "_" + metric.name);
      if (found != losses.end()) {
        const auto value = found->get<double>();
        EXPECT_NEAR(metric.value, value, 1e-6 * (1 + std::abs(value))) << run << ' ' << metric.name;
        ++compared;
      }
    }
    EXPECT_EQ(compared, storedMetrics(stored)) << run;
    EXPECT_EQ(mine.outcome.labels,
              expected.at("runs").at(run).at("num_labels").get<std::int64_t>());
    EXPECT_EQ(mine.outcome.documents,
              expected.at("runs").at(run).at("num_documents").get<std::int64_t>());
  }
}

std::string nameOf(const ::testing::TestParamInfo<StoredLoss>& one) {
  return one.param.name;
}

INSTANTIATE_TEST_SUITE_P(CrossEntropy,
                         FastLlmLosses,
                         ::testing::Values(StoredLoss{"tiny_ce", "cross_entropy"},
                                           StoredLoss{"tiny_ce_multi", "cross_entropy"}),
                         nameOf);

/// Of these Fast-LLM stored metrics as well.
auto policyLosses() {
  return ::testing::Values(StoredLoss{"tiny_grpo_on", "grpo", "grpo"},
                           StoredLoss{"tiny_grpo_zero", "grpo", "grpo"},
                           StoredLoss{"tiny_gspo_on", "gspo_length_weighted", "gspo"},
                           StoredLoss{"tiny_gspo_zero", "gspo_length_weighted", "gspo"},
                           StoredLoss{"tiny_gspo_clip", "gspo_length_weighted", "gspo"},
                           StoredLoss{"tiny_gspo_nopad", "gspo_length_weighted", "gspo"},
                           StoredLoss{"tiny_gspo_v1_nopad", "gspo", "gspo"});
}

INSTANTIATE_TEST_SUITE_P(Policy, FastLlmLosses, policyLosses(), nameOf);
INSTANTIATE_TEST_SUITE_P(Policy, FastLlmMetrics, policyLosses(), nameOf);

}  // namespace
}  // namespace ulp::engine
