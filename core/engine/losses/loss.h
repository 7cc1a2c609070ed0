#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <ATen/ATen.h>

#include "core/base/registry.h"
#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/engine/losses/label_layout.h"

namespace ulp::engine {

/// Makes an int64 tensor on a device.
[[nodiscard]] at::Tensor longTensor(const std::vector<std::int64_t>& values, at::Device device);

/// The labels of one micro-batch on the run's device; N = batch × length.
struct Labels {
  at::Tensor ids;       ///< int64 [N], LabelLayout::kIgnored where there is none
  at::Tensor target;    ///< int64 [N], 0 where there is no label
  at::Tensor mask;      ///< bool [N]
  at::Tensor segment;   ///< int64 [N], see LabelLayout::segments
  at::Tensor counts;    ///< [N] labels of the document of the predicted token, at least 1
  at::Tensor perLabel;  ///< [N] 1 / counts, 0 where there is no label
  std::int64_t documents = 0;
  at::Tensor advantages;  ///< float32 [N]; undefined without policy data
  at::Tensor old;         ///< float32 [N] old log-probabilities, or what to add to the run's own
  bool oldIsOwn = false;
};

/// `math` is the dtype of the losses.
[[nodiscard]] Labels labelsOn(const TokenBatch& tokens,
                              const LabelLayout& layout,
                              at::Device device,
                              at::ScalarType math);

/// Converts labels to another dtype of the losses.
[[nodiscard]] Labels labelsIn(Labels labels, at::ScalarType math);

/// Softmax of the scaled logits and what the losses need of it, in the dtype of the losses.
struct SoftmaxParts {
  at::Tensor shifted;         ///< [N, V] logits - maximum
  at::Tensor exponentials;    ///< [N, V] exp(shifted)
  at::Tensor sum;             ///< [N] of the exponentials
  at::Tensor maximum;         ///< [N]
  at::Tensor logProbability;  ///< [N] of the targets
};

/// The logits of one micro-batch, [N, V], in the dtype of the losses and cut off from the network's
/// graph. The softmax is made when a loss first asks for it.
class LossLogits {
 public:
  /// `gradientType`: the dtype of the gradients with respect to the logits.
  LossLogits(at::Tensor values, at::Tensor target, double scale, at::ScalarType gradientType);

  [[nodiscard]] const at::Tensor& values() const { return m_values; }
  [[nodiscard]] double scale() const { return m_scale; }
  [[nodiscard]] at::ScalarType math() const { return m_values.scalar_type(); }
  [[nodiscard]] at::ScalarType gradientType() const { return m_gradientType; }
  [[nodiscard]] const SoftmaxParts& softmax();

 private:
  at::Tensor m_values;
  at::Tensor m_target;
  double m_scale;
  at::ScalarType m_gradientType;
  std::optional<SoftmaxParts> m_softmax;
};

/// What the means of a step are over, of all of its micro-batches.
struct StepTotals {
  std::int64_t labels = 0;
  std::int64_t documents = 0;
  std::int64_t microBatches = 1;
};

/// Whose operations make the value and the gradient of the cross-entropy. The other losses have one
/// implementation, that of Fast-LLM.
enum class CrossEntropyKernel : std::uint8_t {
  Transformers,  ///< log_softmax and nll_loss, through autograd
  FastLlm        ///< softmax once, gradient from it
};

struct LossInputs {
  LossLogits& logits;
  const Labels& labels;
  const StepTotals& totals;
  const LossTerm& term;
  CrossEntropyKernel crossEntropy = CrossEntropyKernel::Transformers;
  double outputGradient = 1;  ///< of the loss with respect to this term: weight × gradient scale
  bool needsGradient = true;  ///< false: no backward pass follows, the gradient stays undefined

  /// Factor of the gradient with respect to the unscaled logits of a mean over `divisor` things.
  [[nodiscard]] double gradientFactor(std::int64_t divisor) const {
    return outputGradient / static_cast<double>(divisor) * logits.scale();
  }
};

/// A metric of one micro-batch; those of the step follow by adding, or by the extreme.
struct MetricTensor {
  enum class Merge : std::uint8_t { Sum, Maximum, Minimum };
  std::string_view name;
  at::Tensor value;  ///< scalar
  Merge merge = Merge::Sum;
};

struct ClipTensors {
  ClipDecisions::Unit unit = ClipDecisions::Unit::None;
  at::Tensor region;   ///< int8, see ClipDecisions
  at::Tensor stopped;  ///< bool
};

struct LossValue {
  at::Tensor value;           ///< scalar in the dtype of the losses, this micro-batch's share
  at::Tensor gradient;        ///< [N, V] in the gradient dtype, times the output gradient
  at::Tensor logProbability;  ///< [N] of the targets
  std::vector<MetricTensor> metrics{};
  ClipTensors clips{};
};

/// A loss: one file in losses/plugins/.
struct Loss {
  std::string_view id;
  LossValue (*evaluate)(const LossInputs& inputs) = nullptr;
  bool needsPolicy = false;  ///< advantages and old log-probabilities
};

using LossRegistry = Registry<Loss>;

/// Adds every loss of losses/plugins/ (generated).
void registerBuiltin(LossRegistry& registry);

}  // namespace ulp::engine
