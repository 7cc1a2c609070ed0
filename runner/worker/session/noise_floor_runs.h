#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/study/reading/study.h"
#include "runner/worker/session/run_plan.h"

namespace ulp::worker {

/// The reference once more for each kind of study.noiseFloor, in its order: the same (repeat,
/// threads, batch_order), with every format float64, or with another attention kernel (eager, sdpa
/// where the reference is eager).
[[nodiscard]] Result<std::vector<PlannedRun>> planNoiseFloor(const study::Study& study);

/// Gives the run of `threads` another number than the reference has: half of it, two for one.
/// `inForce`: that of the process. Does nothing without such a run. Errors: InvalidArgument on a
/// device where the number changes nothing.
[[nodiscard]] Result<> chooseFloorThreads(std::vector<PlannedRun>& runs,
                                          int inForce,
                                          const std::string& device);

/// Errors: InvalidArgument when sequences are to be reversed and a micro-batch has one alone.
[[nodiscard]] Result<> checkReversible(const std::vector<PlannedRun>& runs,
                                       const std::vector<engine::TokenBatch>& microBatches);

}  // namespace ulp::worker
