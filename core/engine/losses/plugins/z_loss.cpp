#include "core/engine/losses/loss.h"

namespace ulp::engine {
namespace {

/// Mean over the labels of (log Σ exp logits)².
LossValue evaluateZLoss(const LossInputs& inputs) {
  const SoftmaxParts& softmax = inputs.logits.softmax();
  const at::Tensor& mask = inputs.labels.mask;
  const at::Tensor logSum = softmax.sum.log() + softmax.maximum;
  const at::Tensor value = (logSum.pow(2) * mask).sum() / inputs.totals.labels;
  LossValue result{.value = value, .logProbability = softmax.logProbability};
  if (inputs.needsGradient) {
    const at::Tensor factor =
        (logSum / softmax.sum) * (2 * inputs.gradientFactor(inputs.totals.labels)) * mask;
    result.gradient =
        (factor.unsqueeze(-1) * softmax.exponentials).to(inputs.logits.gradientType());
  }
  return result;
}

}  // namespace

void registerZLoss(LossRegistry& registry) {
  registry.add({.id = "z_loss", .evaluate = evaluateZLoss});
}

}  // namespace ulp::engine
