#include "runner/worker/session/study_runner.h"

#include "runner/worker/session/study_session.h"

namespace ulp::worker {

Result<report::ReportPtr> runStudy(const study::Study& study,
                                   const RunOptions& options,
                                   engine::Engine& engine,
                                   const std::function<void(const Event&)>& emit,
                                   const std::stop_token& stop) {
  StudySession session(study, options, engine, emit, stop);
  return session.run();
}

}  // namespace ulp::worker
