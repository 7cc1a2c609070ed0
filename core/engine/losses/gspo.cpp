#include "core/engine/losses/gspo.h"

#include "core/engine/losses/policy.h"

namespace ulp::engine {

LossValue evaluateGspo(const LossInputs& inputs, const at::Tensor& weights) {
  const std::int64_t divisor = inputs.totals.documents;
  const DocumentRatios documents = documentRatios(inputs);
  const PolicyRatios& ratios = documents.tokens;
  const ClippedSurrogate surrogate = clippedSurrogate(ratios, inputs.term);
  const at::Tensor coefficient = surrogate.slope * inputs.gradientFactor(divisor) * weights;
  LossValue value{
      .value = (surrogate.loss * weights).sum() / divisor,
      .gradient = chainToLogits(inputs, coefficient * ratios.ratio),
      .logProbability = inputs.logits.softmax().logProbability,
      .metrics = policyMetrics(inputs, ratios, inputs.labels.perLabel),
      .clips = clipTensors(
          ClipDecisions::Unit::Document, documents.ratio, documents.advantages, inputs.term)};
  value.metrics.push_back({"num_segments", inputs.labels.perLabel.sum()});
  return value;
}

}  // namespace ulp::engine
