#include "core/engine/losses/loss.h"

namespace ulp::engine {
namespace {

/// Mean over the labels of (log Σ exp logits)².
class ZLoss final : public Loss {
 public:
  std::string_view id() const override { return "z_loss"; }
  LossValue evaluate(const LossInputs& inputs) const override {
    const SoftmaxParts& softmax = inputs.logits.softmax();
    const at::Tensor& mask = inputs.labels.mask;
    const at::Tensor logSum = softmax.sum.log() + softmax.maximum;
    const at::Tensor value = (logSum.pow(2) * mask).sum() / inputs.totals.labels;
    LossValue result{.value = value, .gradient = {}, .logProbability = softmax.logProbability};
    if (inputs.needsGradient) {
      const at::Tensor factor =
          (logSum / softmax.sum) * (2 * inputs.gradientFactor(inputs.totals.labels)) * mask;
      result.gradient =
          (factor.unsqueeze(-1) * softmax.exponentials).to(inputs.logits.gradientType());
    }
    return result;
  }
};

}  // namespace

void registerZLoss(LossRegistry& registry) {
  registry.add(std::make_unique<ZLoss>());
}

}  // namespace ulp::engine
