#pragma once

#include <optional>

#include <QtCore/QString>

#include "runner/queue/job_state.h"
#include "views/framework/widgets/severity.h"

namespace ulp::views {

/// "1 min 15 s"; nothing is "–".
[[nodiscard]] QString timeText(const std::optional<double>& seconds);
/// "1.5 GiB"; nothing is "–".
[[nodiscard]] QString bytesText(const std::optional<double>& bytes);

/// "35 %", rounded down. `fraction`: 0 … 1.
[[nodiscard]] QString shareText(double fraction);
/// "◐ running"
[[nodiscard]] QString stateText(const StateText& state);

/// How a job goes or went. A worker that died is told apart from a study that failed.
[[nodiscard]] StateText jobStateText(const queue::JobState& job);
/// How one of its runs goes or went.
[[nodiscard]] StateText variantStateText(const queue::JobState& job, const queue::JobRun& run);

/// "study.yaml"
[[nodiscard]] QString studyName(const queue::JobState& job);
/// The results of a job, as its worker said or as it was asked for.
[[nodiscard]] QString outputText(const queue::JobState& job);

/// "forward · model.layers.11": where the run that goes on is; empty: the worker did not say.
[[nodiscard]] QString placeText(const queue::JobState& job);

[[nodiscard]] QString placeText(const QString& phase, const QString& site);

/// The run is of a variant that has not ended, so that it can still be skipped.
[[nodiscard]] bool canBeSkipped(const queue::JobState& job, const queue::JobRun& run);
/// Something of the job is left to do, or can be tried again.
[[nodiscard]] bool canBeResumed(const queue::JobState& job);
/// Resuming it may leave what failed as it is: there is something else to run.
[[nodiscard]] bool canLeaveFailed(const queue::JobState& job);

}  // namespace ulp::views
