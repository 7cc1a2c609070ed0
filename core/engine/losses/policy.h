#pragma once

#include <vector>

#include <ATen/ATen.h>

#include "core/engine/losses/loss.h"

/// What the policy losses share.
namespace ulp::engine {

/// Ratios and advantages of the units that a policy loss clips, broadcast to the tokens.
struct PolicyRatios {
  at::Tensor old;         ///< [N] old log-probabilities
  at::Tensor logRatio;    ///< [N] log π - log π_old, of the token or its document
  at::Tensor ratio;       ///< [N] exp(logRatio)
  at::Tensor advantages;  ///< [N] of the token or its document
};

/// log π - log π_old of each token.
[[nodiscard]] PolicyRatios tokenRatios(const LossInputs& inputs);
/// Means over the labels of each document; the exponential of that of the log-ratios.
struct DocumentRatios {
  at::Tensor ratio;       ///< [documents]
  at::Tensor advantages;  ///< [documents]
  PolicyRatios tokens;    ///< the same, broadcast
};
[[nodiscard]] DocumentRatios documentRatios(const LossInputs& inputs);

/// -min(ratio × A, clamp(ratio) × A), and the factor of ∂ log π in its gradient, both unweighted.
struct ClippedSurrogate {
  at::Tensor loss;
  at::Tensor slope;
};
[[nodiscard]] ClippedSurrogate clippedSurrogate(const PolicyRatios& ratios, const LossTerm& term);

/// coefficient × ∂ log π(target) / ∂ logits, in the dtype of the logits; undefined where nobody
/// needs the gradient.
[[nodiscard]] at::Tensor chainToLogits(const LossInputs& inputs, const at::Tensor& coefficient);

/// Region of each ratio and whether its gradient is cut off.
[[nodiscard]] ClipTensors clipTensors(ClipDecisions::Unit unit,
                                      const at::Tensor& ratio,
                                      const at::Tensor& advantages,
                                      const LossTerm& term);

/// Fast-LLM's metrics of a policy loss. `weights` are those of the ratio sums: 1 for each label
/// (grpo), or 1 / labels of the document (gspo).
[[nodiscard]] std::vector<MetricTensor> policyMetrics(const LossInputs& inputs,
                                                      const PolicyRatios& ratios,
                                                      const at::Tensor& weights);

}  // namespace ulp::engine
