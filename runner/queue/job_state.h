#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QTime>

#include "core/base/processes/process_memory.h"
#include "core/report/model/report.h"
#include "runner/queue/resource_use.h"
#include "runner/worker/session/run_options.h"

namespace ulp::queue {

using JobId = std::uint64_t;

/// One run of a job, as far as its events tell.
struct JobRun {
  QString name{};
  report::RunStatus status = report::RunStatus::Pending;
  double loss = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not known; valid when finished
  double seconds = 0;
  std::uint64_t peakBytes = 0;
  QString error{};  ///< of a failed run
  /// In which it went on, with loading, casting and writing, on all samples; 0: it did not begin.
  double elapsedSeconds = 0;
  double fraction = -1;  ///< of this run, 0 … 1; negative: not known
  std::optional<double> etaSeconds{};
  bool isSkipAsked = false;  ///< the worker has been asked to leave it out
  QString phase{};           ///< while it goes on, as JobState::phase
  QString site{};
};

/// A study to run in a worker process, as the command line would be told.
struct JobRequest {
  std::filesystem::path studyFile{};
  std::filesystem::path outputDir{};  ///< empty: the study's
  QStringList sets{};                 ///< KEY=VALUE
  QStringList variants{};             ///< empty: all
  QString device{};                   ///< empty: the study's
  int threads = 0;                    ///< 0: one a core
  worker::ExistingResults existing = worker::ExistingResults::Refuse;
  bool keepsFailed = false;  ///< with Resume: variants that failed stay as they are
  std::vector<JobRun>
      expectedRuns{};     ///< what a look at the study, or an earlier job, told of them
  QStringList skips{};    ///< variants that are left out from the start
  bool isProof = false;   ///< of a cause: who asked for it says how it ended; not kept
  QString host{};         ///< by ssh, where the study runs; empty: this machine
  bool installs = false;  ///< copies Ulpscope to the host where it is missing
};

enum class JobStatus : std::uint8_t { Queued, Running, Cancelling, Finished, Failed, Cancelled };

struct LogLine {
  QString level;  ///< info, warning, error
  QString text;
  QTime time{};  ///< when it came, local
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
  int currentRun = -1;       ///< index in `runs`, of the one that began last; -1: none
  /// With several devices: the run at which each worker is, by the number of the worker.
  std::map<int, int> runOfWorker;
  QString phase;  ///< load, choose, forward, backward, optimizer or write
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
  QStringList conflicts;  ///< with what the folder holds, which could not be resumed; empty: none
  int exitCode = -1;      ///< of the worker; -1: running, or ended by a signal
  /// How the worker ended that did not end its study, in words; empty: it did.
  QString death;
  QStringList lastMessages;             ///< that a worker wrote to standard error before it died
  bool isDisconnected = false;          ///< the host does not answer: the study goes on there
  QString device;                       ///< "cpu", "cuda:0"; empty: the worker did not say
  std::vector<std::string> gpus;        ///< UUIDs of its cuda:0, cuda:1, …; empty: not known
  qint64 pid = 0;                       ///< of the worker; 0: none
  std::optional<ProcessMemory> memory;  ///< of the worker, as sampled last, here or on its host
  std::optional<GpuUse> gpu;            ///< of the GPU that the job runs on; none: it does not
  bool isUseStale = false;              ///< the driver does not answer: memory and gpu are old
  /// Resident bytes of the worker at equal distances since its start, at most kMemorySamples.
  QList<quint64> memoryHistory;
  int memorySamples = 0;  ///< taken so far
  int memoryStride = 1;   ///< one of so many is in memoryHistory

  /// The run failed by itself: that its worker died on it is not known to the run folder.
  [[nodiscard]] bool hasFailed(const JobRun& run) const {
    return run.status == report::RunStatus::Failed && (death.isEmpty() || run.error != death);
  }

  static constexpr int kLogLines = 1000;
  static constexpr int kMemorySamples = 240;

  /// Tells whether a run goes on right now, and does not wait for its next sample.
  [[nodiscard]] bool isCurrent(int run) const {
    return run == currentRun ||
           std::ranges::any_of(runOfWorker, [run](const auto& each) { return each.second == run; });
  }

  [[nodiscard]] bool isOver() const {
    return status == JobStatus::Finished || status == JobStatus::Failed ||
           status == JobStatus::Cancelled;
  }
};

using JobStatePtr = std::shared_ptr<const JobState>;

}  // namespace ulp::queue
