#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/study/reading/study.h"

namespace ulp::worker {

/// Fills what of the policy data `loss` takes from loss.path: `advantages` and
/// `old_log_probabilities`, float32 [sequences, T+1], the sequences of all micro-batches of all
/// samples in order; a file may hold more sequences. Errors: those of openSafetensors();
/// InvalidArgument (a tensor is missing, has another shape or type).
[[nodiscard]] Result<> readPolicyFile(const study::LossSettings& loss,
                                      const std::vector<engine::TokenBatch*>& batches);

}  // namespace ulp::worker
