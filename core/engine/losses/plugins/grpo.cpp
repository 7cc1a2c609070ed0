#include "core/engine/losses/policy.h"

namespace ulp::engine {
namespace {

/// Group-relative policy optimisation: the clipped surrogate of each token's ratio, mean over the
/// labels.
LossValue evaluateGrpo(const LossInputs& inputs) {
  const at::Tensor& mask = inputs.labels.mask;
  const PolicyRatios ratios = tokenRatios(inputs);
  LossValue value = clippedSurrogate(inputs, ratios, mask, inputs.totals.labels);
  value.metrics = policyMetrics(inputs, ratios, mask.to(ratios.ratio.scalar_type()));
  value.clips = clipTensors(ClipDecisions::Unit::Token,
                            ratios.ratio.masked_select(mask),
                            ratios.advantages.masked_select(mask),
                            inputs.term);
  return value;
}

}  // namespace

void registerGrpo(LossRegistry& registry) {
  registry.add({.id = "grpo", .evaluate = evaluateGrpo, .needsPolicy = true});
}

}  // namespace ulp::engine
