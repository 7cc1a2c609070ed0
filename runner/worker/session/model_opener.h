#pragma once

#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "runner/worker/session/run_plan.h"
#include "runner/worker/session/study_preparation.h"

namespace ulp::worker {

/// Opens the model of a study with the engine that it names; where it names none with the native
/// one, and with Python what that does not know.
class ModelOpener {
 public:
  ModelOpener(const PreparationParts& parts, const std::vector<PlannedRun>& runs, int threads)
      : m_parts(parts), m_runs(runs), m_threads(threads) {}

  /// Notes in the report what runs the model. Errors: settings that the engine cannot honour
  /// (checkEngineSettings()), those of study::resolveModelPath() and of opening.
  [[nodiscard]] Result<std::unique_ptr<engine::Model>> open();

 private:
  [[nodiscard]] Result<engine::ModelRequest> request() const;
  /// What the study has run beside torch and transformers, for the log; empty: nothing.
  [[nodiscard]] std::string codeOfStudy() const;
  [[nodiscard]] Result<std::unique_ptr<engine::Model>> openInPython(
      const engine::ModelRequest& request);

  const PreparationParts& m_parts;
  const std::vector<PlannedRun>& m_runs;
  int m_threads;
};

}  // namespace ulp::worker
