#pragma once

#include <functional>

#include <ATen/core/Tensor.h>

#include "core/engine/batches/wide_batch.h"
#include "core/engine/network/network.h"

namespace ulp::engine {

/// Logits of a micro-batch, [batch, length, vocabulary], of a pass of all that goes through the
/// network with it, piece by piece. `pass` has neither layout nor cache.
[[nodiscard]] at::Tensor comparedLogits(const ForwardPass& pass,
                                        const Network& network,
                                        const WideBatch& batch);

/// Chooses tokens greedily: where the pieces of single positions begin at `firstChosen`, each gets
/// the token with the highest logit before it as its id in the sequences of the micro-batch. Gives
/// all that were chosen, int64 [sequences, count], the one behind the last piece included; calls
/// `chose` behind each position.
[[nodiscard]] at::Tensor chooseTokens(const ForwardPass& pass,
                                      const Network& network,
                                      WideBatch& batch,
                                      std::int64_t firstChosen,
                                      const std::function<void()>& chose);

}  // namespace ulp::engine
