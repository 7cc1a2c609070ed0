#include "core/engine/losses/policy.h"

namespace ulp::engine {
namespace {

/// Group-relative policy optimisation: the clipped surrogate of each token's ratio, mean over the
/// labels.
class Grpo final : public Loss {
 public:
  std::string_view id() const override { return "grpo"; }
  bool needsPolicy() const override { return true; }
  LossValue evaluate(const LossInputs& inputs) const override {
    const at::Tensor& mask = inputs.labels.mask;
    const std::int64_t divisor = inputs.totals.labels;
    const PolicyRatios ratios = tokenRatios(inputs);
    const ClippedSurrogate surrogate = clippedSurrogate(ratios, inputs.term);
    const at::Tensor coefficient = surrogate.slope * inputs.gradientFactor(divisor) * mask;
    return {.value = (surrogate.loss * mask).sum() / divisor,
            .gradient = chainToLogits(inputs, coefficient * ratios.ratio),
            .logProbability = inputs.logits.softmax().logProbability,
            .metrics = policyMetrics(inputs, ratios, mask.to(ratios.ratio.scalar_type())),
            .clips = clipTensors(ClipDecisions::Unit::Token,
                                 ratios.ratio.masked_select(mask),
                                 ratios.advantages.masked_select(mask),
                                 inputs.term)};
  }
};

}  // namespace

void registerGrpo(LossRegistry& registry) {
  registry.add(std::make_unique<Grpo>());
}

}  // namespace ulp::engine
