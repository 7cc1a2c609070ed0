#include <c10/core/GradMode.h>

#include "core/engine/losses/loss.h"

namespace ulp::engine {
namespace {

/// transformers' ForCausalLMLoss: the operations of torch.nn.functional.cross_entropy, one by one
/// so that the log-probabilities cost nothing.
LossValue transformersCrossEntropy(const LossInputs& inputs) {
  const c10::AutoGradMode withGraph(inputs.needsGradient);
  const at::Tensor leaf = inputs.logits.values().detach().requires_grad_(inputs.needsGradient);
  const double scale = inputs.logits.scale();
  const at::Tensor scaled = scale == 1 ? leaf : leaf * scale;
  const at::Tensor logProbabilities = at::log_softmax(scaled, 1, scaled.scalar_type());
  at::Tensor value;
  if (inputs.totals.microBatches == 1) {
    value = at::nll_loss_nd(logProbabilities, inputs.labels.ids, {}, at::Reduction::Mean);
  } else {
    value = at::nll_loss_nd(logProbabilities, inputs.labels.ids, {}, at::Reduction::Sum) /
            inputs.totals.labels;
  }
  LossValue result{
      .value = value.detach(),
      .logProbability =
          logProbabilities.detach().gather(-1, inputs.labels.target.unsqueeze(-1)).squeeze(-1)};
  if (inputs.needsGradient) {
    if (inputs.outputGradient == 1) {
      value.backward();
    } else {
      value.backward(at::full_like(value, inputs.outputGradient));
    }
    result.gradient = leaf.grad().to(inputs.logits.gradientType());
  }
  return result;
}

LossValue fastLlmCrossEntropy(const LossInputs& inputs) {
  const SoftmaxParts& softmax = inputs.logits.softmax();
  const at::Tensor& mask = inputs.labels.mask;
  const at::Tensor target = inputs.labels.target.unsqueeze(-1);
  const at::Tensor predicted = softmax.shifted.gather(-1, target).squeeze(-1);
  const at::Tensor value = ((softmax.sum.log() - predicted) * mask).sum() / inputs.totals.labels;
  LossValue result{.value = value, .logProbability = softmax.logProbability};
  if (inputs.needsGradient) {
    const double factor = inputs.gradientFactor(inputs.totals.labels);
    const at::Tensor sum = softmax.sum.unsqueeze(-1);
    const at::Tensor gradient =
        softmax.exponentials.scatter_add(-1, target, -sum) * (sum.reciprocal() * factor);
    result.gradient = (gradient * mask.unsqueeze(-1)).to(inputs.logits.gradientType());
  }
  return result;
}

/// Mean over the labels of -log π(label).
LossValue evaluateCrossEntropy(const LossInputs& inputs) {
  return inputs.crossEntropy == CrossEntropyKernel::Transformers ? transformersCrossEntropy(inputs)
                                                                 : fastLlmCrossEntropy(inputs);
}

}  // namespace

void registerCrossEntropy(LossRegistry& registry) {
  registry.add({.id = "cross_entropy", .evaluate = evaluateCrossEntropy});
}

}  // namespace ulp::engine
