#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/report/model/report.h"
#include "core/study/reading/study.h"
#include "runner/worker/session/run_plan.h"

namespace ulp::worker {

/// Checks that what is to run now is what an earlier report recorded; one InvalidArgument names
/// every difference, and `differences` gets each of them. Looks at the settings of the runs that
/// the earlier report finished, and at weights, tokens, LibTorch, device, threads and metrics.
/// Errors: those of effectiveConfig() too.
[[nodiscard]] Result<> checkResumable(const report::Report& earlier,
                                      const report::Report& now,
                                      const std::vector<PlannedRun>& runs,
                                      std::vector<std::string>& differences);

/// Names everything in which two reports were not made alike: weights, tokens, engine, LibTorch,
/// device, threads, samples, metrics.
[[nodiscard]] std::vector<std::string> differencesOfPlaces(const report::Report& earlier,
                                                           const report::Report& now);

/// Keys of the files that settings name and that were other ones when `now` was made. Errors:
/// CorruptData for a report whose settings cannot be read.
[[nodiscard]] Result<std::set<std::string>> changedFiles(const report::Report& earlier,
                                                         const report::Report& now);

/// Takes over the finished and the skipped runs of an earlier report, with `keepsFailed` variants
/// that failed, what others gave on some samples, and when the study began.
void adoptSettledRuns(report::Report& draft, const report::Report& earlier, bool keepsFailed);

/// Skipped variants that are asked for by name are to run after all.
void reviveNamedRuns(report::Report& draft, const std::vector<std::string>& names);

/// A report with every run of the study pending, reference first; provenance, model and the text of
/// the study are left open.
[[nodiscard]] report::Report makeDraft(const std::vector<PlannedRun>& runs);

/// The settings and changes of runs as they are planned by now.
void takeSettings(report::Report& draft, const std::vector<PlannedRun>& runs);

/// Leaves out the variants that were not asked for, unless they are finished
/// or skipped.
void dropUnasked(report::Report& draft, const std::vector<PlannedRun>& runs);

/// Makes a run one that did not fail.
void forgetError(report::Run& run);

/// Tells whether a run waits for its next sample, or is at it.
[[nodiscard]] bool isOpen(const report::Run& run);

/// Error where variants failed, with what they said: of their code where all have one that tells of
/// the machine or of Ulpscope, else RunFailed.
[[nodiscard]] Result<> variantFailures(const report::Report& draft);

[[nodiscard]] report::Run* findRun(report::Report& draft, std::string_view name);

/// Tells whether two numbers are equal bit for bit; any NaN equals any NaN.
[[nodiscard]] bool isSameNumber(double a, double b);

/// Sums up the step of a run as a report says it. `reference`: the clip decisions of the
/// reference's terms; empty for the reference itself.
[[nodiscard]] report::StepSummary stepOf(const engine::RunOutcome& outcome,
                                         std::span<const engine::ClipDecisions> reference);

}  // namespace ulp::worker
