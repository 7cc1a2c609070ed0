#pragma once

#include <functional>
#include <stop_token>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/report/model/report.h"
#include "core/study/reading/study.h"
#include "runner/worker/events/events.h"
#include "runner/worker/session/run_options.h"

namespace ulp::worker {

/// Runs a study: the reference once, then each variant, compared while it runs. After every run the
/// report is replaced atomically, so that whatever happens next, finished runs stay readable.
/// `emit` is called on the calling thread. Errors are also emitted (StudyFinished). A run that
/// fails does not stop the following variants unless it is the reference; the result is then an
/// error all the same.
[[nodiscard]] Result<report::ReportPtr> runStudy(const study::Study& study,
                                                 const RunOptions& options,
                                                 engine::Engine& engine,
                                                 const std::function<void(const Event&)>& emit,
                                                 const std::stop_token& stop);

}  // namespace ulp::worker
