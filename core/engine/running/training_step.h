#pragma once

#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/engine/losses/loss.h"
#include "core/engine/losses/step_loss.h"
#include "core/engine/network/network.h"

namespace ulp::engine {

/// A token batch as a run reads it, on the run's device.
struct MicroBatch {
  at::Tensor ids;  ///< int64 [batch, length], 0 in the padding
  PackedLayout layout;
  Labels labels;
};

/// One step of a run on the host: what its micro-batches are, and what their means are over.
struct StepInput {
  std::span<const TokenBatch> batches{};  ///< in order; those of the request
  std::vector<LabelLayout> layouts{};     ///< of the batches
  StepTotals totals{};
};

/// Errors: those of layOutLabels(); InvalidArgument for tokens beyond the vocabulary or of another
/// number than batch × (length + 1), and for policy data of another number.
[[nodiscard]] Result<StepInput> stepInput(const RunRequest& request, std::int64_t vocabularySize);

[[nodiscard]] MicroBatch microBatchOn(const TokenBatch& tokens,
                                      const LabelLayout& layout,
                                      const Numerics& numerics);

/// What rules call the module of the loss, which has none.
inline constexpr const char* kLossModule = "loss";

/// The loss of one micro-batch, a scalar of the autograd graph where there is one, added to the
/// step's. Announces the row `logits`, and in the last micro-batch the row `loss`, that of the
/// step. `batch` and `loss` must outlive the backward pass.
[[nodiscard]] at::Tensor forward(const ForwardPass& pass,
                                 const Network& network,
                                 const MicroBatch& batch,
                                 StepLoss& loss);

/// The rows of a forward pass and of its loss, without a loss.
void announceRows(const ForwardPass& pass, const Network& network);

}  // namespace ulp::engine
