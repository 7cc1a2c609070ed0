#pragma once

#include <compare>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

#include <QtCore/QString>

#include "core/analysis/reports/run_pair.h"
#include "core/analysis/studies/proof.h"
#include "core/base/result.h"
#include "runner/queue/job_state.h"
#include "views/framework/document/report_document.h"

namespace ulp::views {

/// Why do two runs differ? By their names among the open reports.
struct CauseQuestion {
  QString baseline;
  QString candidate;

  friend auto operator<=>(const CauseQuestion&, const CauseQuestion&) = default;
};

/// What was proved, and the lines of the study that it is about.
struct CauseAnswer {
  analysis::Proof proof;
  std::vector<analysis::SettingPlace> places;  ///< of the change that comes nearest
  QString studyFile;                           ///< that has these lines
};
using CauseAnswerPtr = std::shared_ptr<const CauseAnswer>;

/// A counterfactual study that is to be run, or was.
struct CauseStudy {
  analysis::RunPair pair;
  Site first;  ///< where the runs differ first
  analysis::CounterfactualStudy plan;
  std::filesystem::path folder;  ///< of its results
  std::string yaml;              ///< the plan with paths that are found from anywhere
  worker::ExistingResults existing = worker::ExistingResults::Refuse;
  bool isDone = false;  ///< the folder holds the report of every run
};

/// What to do with results of this very study: an answer is one of its own, unless it has to be
/// found anew.
struct CauseOptions {
  std::stop_token stop{};
  bool startsAnew = false;
};

/// Plans the study that answers the question, into the first folder proofFolder(), -2, -3 … that is
/// free or belongs to this very study. Compares the runs' kept tensors where no report has done so;
/// reads and writes no other file than reports and studies, takes as long as that takes. Errors:
/// those of analysis::pairRuns() and planProof(); InvalidArgument where the runs are equal.
[[nodiscard]] Result<CauseStudy> planCause(const OpenReports& open,
                                           const CauseQuestion& question,
                                           const CauseOptions& options = {});
/// Tells without reading tensors whether it may have been answered before: planCause() is quick, or
/// there is a folder where the answer belongs.
[[nodiscard]] bool mayBeAnswered(const OpenReports& open, const CauseQuestion& question);

/// Writes study.yaml into the folder of the results. Errors: Io.
[[nodiscard]] Result<> writeCauseStudy(const CauseStudy& study);
/// What a worker is asked to do, on the device and with the threads of the runs.
[[nodiscard]] queue::JobRequest causeRequest(const CauseStudy& study);
/// Judges the report of its folder. Errors: those of report::loadReport() and judgeProof().
[[nodiscard]] Result<CauseAnswerPtr> judgeCause(const CauseStudy& study,
                                                const std::stop_token& stop = {});

}  // namespace ulp::views
