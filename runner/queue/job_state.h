#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/report/report.h"
#include "runner/worker/run_options.h"

namespace ulp::queue {

using JobId = std::uint64_t;

/// A study to run in a worker process, as the command line would be told.
struct JobRequest {
  std::filesystem::path studyFile{};
  std::filesystem::path outputDir{};  ///< empty: the study's
  QStringList sets{};                 ///< KEY=VALUE
  QStringList variants{};             ///< empty: all
  QString device{};                   ///< empty: the study's
  int threads = 0;                    ///< 0: one a core
  worker::ExistingResults existing = worker::ExistingResults::Refuse;
};

enum class JobStatus : std::uint8_t { Queued, Running, Cancelling, Finished, Failed, Cancelled };

/// One run of a job, as far as its events tell.
struct JobRun {
  QString name;
  report::RunStatus status = report::RunStatus::Pending;
  double loss = 0;  ///< valid when finished
  double seconds = 0;
  std::uint64_t peakBytes = 0;
  QString error;  ///< of a failed run
};

struct LogLine {
  QString level;  ///< info, warning, error
  QString text;
};

/// All that is known of a job at one moment. Published as a shared_ptr<const JobState> and never
/// written again.
struct JobState {
  JobId id = 0;
  JobRequest request;
  JobStatus status = JobStatus::Queued;
  std::filesystem::path outputDir;  ///< as the worker said; until then the request's
  bool resumed = false;
  std::vector<JobRun> runs;  ///< reference first; empty until the worker said
  int currentRun = -1;       ///< index in `runs`; -1: none
  QString phase;             ///< load, forward, backward or write
  QString site;
  double fraction = 0;  ///< of the whole study, 0 … 1, never falls
  std::optional<double> etaSeconds;
  double elapsedSeconds = 0;  ///< since the worker was started
  /// The newest kLogLines lines; `logTotal` counts those that were dropped as well.
  QList<LogLine> log;
  std::uint64_t logTotal = 0;
  std::filesystem::path reportPath;  ///< empty until the first run is written
  int reportRevision = 0;            ///< grows whenever the file was replaced
  QString error;                     ///< of a failed job, for people, with the way out
  int exitCode = -1;                 ///< of the worker; -1: running, or ended by a signal

  static constexpr int kLogLines = 1000;

  [[nodiscard]] bool isOver() const {
    return status == JobStatus::Finished || status == JobStatus::Failed ||
           status == JobStatus::Cancelled;
  }
};

using JobStatePtr = std::shared_ptr<const JobState>;

}  // namespace ulp::queue
