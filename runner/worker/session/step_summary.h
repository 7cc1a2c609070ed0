#pragma once

#include <span>

#include "core/engine/engine.h"
#include "core/report/model/report.h"

namespace ulp::worker {

/// Sums up the step of a run as a report says it. `reference`: the clip decisions of the
/// reference's terms; empty for the reference itself.
[[nodiscard]] report::StepSummary stepOf(const engine::RunOutcome& outcome,
                                         std::span<const engine::ClipDecisions> reference);

}  // namespace ulp::worker
