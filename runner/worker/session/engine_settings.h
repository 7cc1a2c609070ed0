#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/study/reading/study.h"
#include "runner/worker/session/run_plan.h"

namespace ulp::worker {

enum class EngineKind : std::uint8_t { Native, Python };

/// Looks for settings that an engine cannot honour. Error: InvalidArgument, with all of them, one a
/// line, each with its place and the reason.
[[nodiscard]] Result<> checkEngineSettings(const study::Study& study,
                                           const std::vector<PlannedRun>& runs,
                                           EngineKind engine);

}  // namespace ulp::worker
