#include "core/engine/losses/policy.h"

namespace ulp::engine {
namespace {

/// Sums over documents. The same order of additions in every run: index_add_ is atomic on CUDA.
at::Tensor sumByDocument(const at::Tensor& values, const Labels& labels) {
  const at::Tensor zeros = at::zeros({labels.documents}, values.options());
  if (values.is_cuda()) {
    return zeros.index_put({labels.segment}, values, true);
  }
  return zeros.index_add(0, labels.segment, values);
}

at::Tensor outOfRange(const at::Tensor& ratio, const LossTerm& term) {
  return (ratio < 1 - term.epsilonLow) | (ratio > 1 + term.epsilonHigh);
}

/// Means over the labels of each document; the exponential of that of the log-ratios.
struct DocumentRatios {
  at::Tensor ratio;       ///< [documents]
  at::Tensor advantages;  ///< [documents]
  PolicyRatios tokens;    ///< the same, broadcast
};

DocumentRatios documentRatios(const LossInputs& inputs) {
  const Labels& labels = inputs.labels;
  const PolicyRatios own = tokenRatios(inputs);
  const at::Tensor logRatio = sumByDocument(own.logRatio * labels.perLabel, labels);
  DocumentRatios ratios;
  ratios.ratio = logRatio.exp();
  ratios.advantages = sumByDocument(own.advantages * labels.perLabel, labels);
  ratios.tokens.old = own.old;
  ratios.tokens.logRatio = logRatio.index_select(0, labels.segment);
  ratios.tokens.ratio = ratios.ratio.index_select(0, labels.segment);
  ratios.tokens.advantages = ratios.advantages.index_select(0, labels.segment);
  return ratios;
}

/// coefficient × ∂ log π(target) / ∂ logits, in the dtype of the logits; undefined where nobody
/// needs the gradient.
at::Tensor chainToLogits(const LossInputs& inputs, const at::Tensor& coefficient) {
  if (!inputs.needsGradient) {
    return {};
  }
  const SoftmaxParts& softmax = inputs.logits.softmax();
  const at::Tensor probabilities = softmax.exponentials / softmax.sum.unsqueeze(-1);
  const at::Tensor one = inputs.labels.mask.unsqueeze(-1).to(probabilities.scalar_type());
  const at::Tensor derivative =
      probabilities.scatter_add(-1, inputs.labels.target.unsqueeze(-1), -one);
  return (coefficient.unsqueeze(-1) * derivative).to(inputs.logits.gradientType());
}

}  // namespace

PolicyRatios tokenRatios(const LossInputs& inputs) {
  const at::Tensor& own = inputs.logits.softmax().logProbability;
  const Labels& labels = inputs.labels;
  PolicyRatios ratios;
  ratios.old = labels.oldIsOwn ? own.to(at::kFloat) + labels.old : labels.old;
  ratios.logRatio = own - ratios.old;
  ratios.ratio = ratios.logRatio.exp();
  ratios.advantages = labels.advantages;
  return ratios;
}

LossValue clippedSurrogate(const LossInputs& inputs,
                           const PolicyRatios& ratios,
                           const at::Tensor& weights,
                           std::int64_t divisor) {
  const at::Tensor& ratio = ratios.ratio;
  const at::Tensor& advantages = ratios.advantages;
  const double lowest = 1 - inputs.term.epsilonLow;
  const double highest = 1 + inputs.term.epsilonHigh;
  const at::Tensor loss =
      -at::min(ratio * advantages, at::clamp(ratio, lowest, highest) * advantages);
  // The factor of ∂ log π in the gradient.
  const at::Tensor slope =
      advantages.clamp_min(0) * (ratio <= highest) + advantages.clamp_max(0) * (ratio >= lowest);
  const at::Tensor coefficient = slope * inputs.gradientFactor(divisor) * weights;
  return {.value = (loss * weights).sum() / divisor,
          .gradient = chainToLogits(inputs, coefficient * ratio),
          .logProbability = inputs.logits.softmax().logProbability};
}

ClipTensors clipTensors(ClipDecisions::Unit unit,
                        const at::Tensor& ratio,
                        const at::Tensor& advantages,
                        const LossTerm& term) {
  const at::Tensor below = ratio < 1 - term.epsilonLow;
  const at::Tensor above = ratio > 1 + term.epsilonHigh;
  return {.unit = unit,
          .region = above.to(at::kChar) - below.to(at::kChar),
          .stopped = (above & (advantages > 0)) | (below & (advantages < 0))};
}

std::vector<MetricTensor> policyMetrics(const LossInputs& inputs,
                                        const PolicyRatios& ratios,
                                        const at::Tensor& weights) {
  using Merge = MetricTensor::Merge;
  const Labels& labels = inputs.labels;
  const SoftmaxParts& softmax = inputs.logits.softmax();
  const at::Tensor& perLabel = labels.perLabel;
  const at::Tensor& ratio = ratios.ratio;
  const at::Tensor advantages = labels.advantages.masked_select(labels.mask);
  const at::Tensor logProbability = softmax.logProbability * labels.mask / labels.counts;
  const at::Tensor entropy =
      softmax.sum.log() - (softmax.exponentials * softmax.shifted).sum(-1) / softmax.sum;
  const auto mean = [&](const at::Tensor& values) {
    return (values * perLabel).sum() / inputs.totals.documents;
  };
  std::vector<MetricTensor> metrics{
      {"new_logprobs", logProbability.sum() / inputs.totals.documents},
      {"old_logprobs", mean(ratios.old)},
      {"ratio_new_old", mean(ratio)},
      {"ratio_new_old_sum", (ratio * weights).sum()},
      {"ratio_new_old_squared_sum", (ratio * ratio * weights).sum()},
      {"kl_new_old", mean(ratio - ratios.logRatio - 1)},
      {"clipped_ratio_fraction", mean(outOfRange(ratio, inputs.term).to(perLabel.scalar_type()))},
      {"advantage", mean(ratios.advantages)},
      {"num_tokens", labels.mask.sum()},
      {"entropy", mean(entropy)}};
  if (advantages.numel() > 0) {
    metrics.push_back({"max_advantage", advantages.max(), Merge::Maximum});
    metrics.push_back({"min_advantage", advantages.min(), Merge::Minimum});
  }
  return metrics;
}

LossValue evaluateGspo(const LossInputs& inputs, const at::Tensor& weights) {
  const DocumentRatios documents = documentRatios(inputs);
  LossValue value = clippedSurrogate(inputs, documents.tokens, weights, inputs.totals.documents);
  value.metrics = policyMetrics(inputs, documents.tokens, inputs.labels.perLabel);
  value.metrics.push_back({"num_segments", inputs.labels.perLabel.sum()});
  value.clips = clipTensors(
      ClipDecisions::Unit::Document, documents.ratio, documents.advantages, inputs.term);
  return value;
}

}  // namespace ulp::engine
