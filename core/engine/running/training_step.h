#pragma once

#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/base/result.h"
#include "core/engine/batches/wide_batch.h"
#include "core/engine/engine.h"
#include "core/engine/losses/loss.h"
#include "core/engine/losses/step_loss.h"
#include "core/engine/network/network.h"

namespace ulp::engine {

/// A token batch as a run reads it: the input on the run's first device, the labels on its last.
struct MicroBatch {
  WideBatch input;  ///< also of what is computed beside it
  Labels labels;
};

/// One step of a run on the host: what its micro-batches are, and what their means are over.
struct StepInput {
  std::span<const TokenBatch> batches{};  ///< in order; those of the request
  std::vector<LabelLayout> layouts{};     ///< of the batches
  StepTotals totals{};
};

/// Errors: those of layOutLabels() and checkBatch(); InvalidArgument for tokens beyond the
/// vocabulary or of another number than batch × (length + 1), and for policy data of another
/// number.
[[nodiscard]] Result<StepInput> stepInput(const RunRequest& request, std::int64_t vocabularySize);

/// Errors: those of StepLoss::create(); InvalidArgument where a loss lacks its policy data.
[[nodiscard]] Result<StepLoss> makeStepLoss(const LossRegistry& registry,
                                            const LossPlan& plan,
                                            const StepInput& input,
                                            CrossEntropyKernel crossEntropy);

[[nodiscard]] MicroBatch microBatchOn(const BatchPlan& plan,
                                      const TokenBatch& tokens,
                                      const LabelLayout& layout,
                                      const Numerics& numerics,
                                      const NetworkFacts& facts);

/// What rules call the module of the loss, which has none.
inline constexpr const char* kLossModule = "loss";

/// The loss of one micro-batch, a scalar of the autograd graph where there is one, added to the
/// step's. `pass` has neither layout nor cache: the pieces of the batch have theirs. Announces the
/// row `logits`, and in the last micro-batch the row `loss`, that of the step. `batch` and `loss`
/// must outlive the backward pass.
[[nodiscard]] at::Tensor forward(const ForwardPass& pass,
                                 const Network& network,
                                 const MicroBatch& batch,
                                 StepLoss& loss);

/// The rows of a forward pass and of its loss, without a loss.
void announceRows(const ForwardPass& pass, const Network& network);

}  // namespace ulp::engine
