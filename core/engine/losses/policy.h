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

/// The clipped surrogate -min(ratio × A, clamp(ratio) × A): the sum over the tokens, times their
/// `weights` [N], over `divisor`; its gradient and log-probabilities, without metrics and clips.
[[nodiscard]] LossValue clippedSurrogate(const LossInputs& inputs,
                                         const PolicyRatios& ratios,
                                         const at::Tensor& weights,
                                         std::int64_t divisor);

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

/// Group sequence policy optimisation: the clipped surrogate of each document's ratio, the
/// exponential of its mean log-ratio. `weights` [N] add up the tokens of a document to its share;
/// the loss is their sum over the number of documents.
[[nodiscard]] LossValue evaluateGspo(const LossInputs& inputs, const at::Tensor& weights);

}  // namespace ulp::engine
