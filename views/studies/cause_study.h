#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

#include <QtCore/QString>
#include <QtCore/QStringList>

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

  friend bool operator==(const CauseQuestion&, const CauseQuestion&) = default;
};

/// What was proved, and the lines of the study that it is about.
struct CauseAnswer {
  analysis::Proof proof;
  std::vector<analysis::SettingPlace> places;  ///< of the change that comes nearest
  QString studyFile;                           ///< that has these lines
};
using CauseAnswerPtr = std::shared_ptr<const CauseAnswer>;

/// What becomes of results that the folder of a proof holds.
enum class CauseResults : std::uint8_t {
  GoOn,      ///< those of this very study are continued, or are the answer
  Replace,   ///< they are removed
  NewFolder  ///< they stay, and a free folder beside is taken
};

/// How a cause is proved; what is empty is as the runs were made.
struct CauseSettings {
  QString folder{};    ///< of the results; empty: a folder beside those of the candidate
  QString device{};    ///< as studies name it
  int threads = 0;     ///< 0: as many as the runs had
  QStringList sets{};  ///< KEY=VALUE, for every run
  CauseResults results = CauseResults::GoOn;
};

/// What an empty folder and device, and no threads, stand for. Nothing where the runs are not open.
[[nodiscard]] CauseSettings usualSettings(const OpenReports& open, const CauseQuestion& question);

/// A counterfactual study that is to be run, or was.
struct CauseStudy {
  analysis::RunPair pair;
  Site first;  ///< where the runs differ first
  analysis::CounterfactualStudy plan;
  std::filesystem::path folder;  ///< of its results
  std::string yaml;              ///< the plan with paths that are found from anywhere
  worker::ExistingResults existing = worker::ExistingResults::Refuse;
  bool isDone = false;   ///< the folder holds the report of every run
  bool isTaken = false;  ///< the folder that was asked for holds other things: it cannot be run
  CauseSettings settings{};
};

/// Plans the study that answers the question, into the folder that is asked for, else the first of
/// proofFolder(), -2, -3 … that is free or belongs to this very study. Compares the runs' kept
/// tensors where no report has done so; reads and writes no other file than reports and studies,
/// takes as long as that takes. Errors: those of analysis::pairRuns(), planProof() and
/// study::parseStudy(); InvalidArgument where the runs are equal.
[[nodiscard]] Result<CauseStudy> planCause(const OpenReports& open,
                                           const CauseQuestion& question,
                                           const CauseSettings& settings = {},
                                           const std::stop_token& stop = {});
/// Tells without reading tensors whether it may have been answered before: planCause() is quick, or
/// there is a folder where the answer belongs.
[[nodiscard]] bool mayBeAnswered(const OpenReports& open, const CauseQuestion& question);

/// Writes study.yaml into the folder of the results. Errors: Io.
[[nodiscard]] Result<> writeCauseStudy(const CauseStudy& study);
/// What a worker is asked to do.
[[nodiscard]] queue::JobRequest causeRequest(const CauseStudy& study);
/// Judges the report of its folder. Errors: those of report::loadReport() and judgeProof().
[[nodiscard]] Result<CauseAnswerPtr> judgeCause(const CauseStudy& study,
                                                const std::stop_token& stop = {});

}  // namespace ulp::views
