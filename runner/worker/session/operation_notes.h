#pragma once

#include <string>
#include <vector>

#include "core/base/site.h"
#include "core/engine/engine.h"
#include "runner/worker/capture/capture_observers.h"

namespace ulp::worker {

/// Says which operations of a run have no row beside the reference's, a line for each reason.
/// `uncompared`: those of another shape. `python`: what it was run with.
[[nodiscard]] std::vector<std::string> operationNotes(const std::string& run,
                                                      const engine::RunOutcome& outcome,
                                                      const std::vector<Site>& uncompared,
                                                      const engine::PythonPlan& python = {});

/// Removes rows of operations that were not made in every micro-batch.
void dropIncomplete(Differences& differences, const std::vector<Site>& missing);

}  // namespace ulp::worker
