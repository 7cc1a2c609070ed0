#pragma once

#include "core/engine/losses/loss.h"

namespace ulp::engine {

/// Group sequence policy optimisation: the clipped surrogate of each document's ratio, the
/// exponential of its mean log-ratio. `weights` [N] add up the tokens of a document to its share;
/// the loss is their sum over the number of documents.
[[nodiscard]] LossValue evaluateGspo(const LossInputs& inputs, const at::Tensor& weights);

}  // namespace ulp::engine
