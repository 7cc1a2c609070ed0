#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <ATen/ATen.h>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/engine/losses/loss.h"

namespace ulp::engine {

/// The loss of one micro-batch.
struct LossEvaluation {
  at::Tensor value;                ///< scalar in the dtype of the losses
  at::Tensor gradient;             ///< [N, V] with respect to the logits; undefined: not asked for
  std::vector<LossValue> terms{};  ///< by term of the plan, without gradients
};

/// The loss of one step: evaluates the terms of a plan on its micro-batches and gathers what the
/// run's outcome says of them.
class StepLoss {
 public:
  /// The losses behind `registry` must outlive the result. Errors: InvalidArgument (no term,
  /// unknown type).
  [[nodiscard]] static Result<StepLoss> create(const LossRegistry& registry,
                                               const LossPlan& plan,
                                               const StepTotals& totals,
                                               CrossEntropyKernel crossEntropy);

  [[nodiscard]] bool needsPolicy() const;

  /// `logits`: [N, V] in the dtype of the losses. The gradient is that of the loss times
  /// `gradientScale`, each term's in `gradientType`; nothing: no gradient.
  [[nodiscard]] LossEvaluation evaluate(const at::Tensor& logits,
                                        const Labels& labels,
                                        at::ScalarType gradientType,
                                        std::optional<double> gradientScale = 1) const;
  /// Adds a micro-batch to the step.
  void record(const LossEvaluation& evaluation, const Labels& labels);
  /// Gives the loss of the micro-batches recorded so far: a scalar in the dtype of the losses.
  [[nodiscard]] const at::Tensor& value() const { return m_value; }
  /// Copies to the host. Leaves `loss` alone.
  void describe(RunOutcome& outcome) const;

 private:
  /// A term and what it gave, micro-batch by micro-batch.
  struct Term {
    LossTerm plan;
    const Loss* loss = nullptr;
    std::vector<LossValue> values{};
  };

  StepLoss(double logitsScale, const StepTotals& totals, CrossEntropyKernel crossEntropy);
  [[nodiscard]] static LossTermOutcome outcomeOf(const Term& term);

  double m_logitsScale;
  CrossEntropyKernel m_crossEntropy;
  StepTotals m_totals;
  std::vector<Term> m_terms;
  std::vector<at::Tensor> m_masks;
  at::Tensor m_value;
};

/// Makes a value that was computed apart a function of `logits` for autograd: `gradientAt(g)` is
/// its gradient times g, of the logits' shape and dtype; asked for by each backward pass.
[[nodiscard]] at::Tensor attachLoss(const at::Tensor& logits,
                                    const at::Tensor& value,
                                    std::function<at::Tensor(double)> gradientAt);

}  // namespace ulp::engine
