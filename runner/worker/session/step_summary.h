#pragma once

#include <span>

#include "core/engine/engine.h"
#include "core/report/model/report.h"

namespace ulp::worker {

/// What a report says of the step of a run. `reference`: the clip decisions of the reference's
/// terms; empty for the reference itself.
[[nodiscard]] report::StepSummary stepOf(const engine::RunOutcome& outcome,
                                         std::span<const engine::ClipDecisions> reference);

}  // namespace ulp::worker
