#pragma once

#include <functional>
#include <memory>

#include "app/cli/run/study_run.h"
#include "runner/worker/events/events.h"
#include "runner/worker/session/skip_requests.h"

namespace ulp::cli {

class HostSignals;

/// Runs a study on a host (`arguments.remote`) through ssh, and keeps the run folder here like the
/// one there while it runs. What `observe` gets is what a study of this machine would say. A lost
/// connection is made again; where this command ends before the study does, `--resume` takes that
/// up. Errors: those of the study; of the connection; Cancelled, also where the study goes on.
[[nodiscard]] Result<FinishedStudy> runStudyOnHost(
    const RunArguments& arguments,
    HostSignals& signals,
    const std::shared_ptr<worker::SkipRequests>& skips,
    const std::function<void(const worker::Event&)>& observe);

}  // namespace ulp::cli
