#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/report/model/log_probabilities.h"
#include "core/report/model/report.h"
#include "runner/cluster/cluster_run.h"
#include "runner/cluster/merge_tasks.h"
#include "runner/worker/session/run_options.h"
#include "runner/worker/session/study_results.h"

namespace ulp::cluster {

/// Puts what the tasks of a run leave together, while they work or once they have ended: begin(),
/// then read() and add() as often as there is something new. Tasks may be added to the run in
/// between.
class TaskMerge {
 public:
  /// `run`, `options` and `sink` outlive it.
  TaskMerge(const ClusterRun& run, const MergeOptions& options, worker::EventSink& sink);

  /// Plans the runs as `device` has them made, and claims the folder of the results. Errors: those
  /// of worker::planRuns() and of worker::StudyResults::begin().
  [[nodiscard]] Result<> begin(const study::Study& study, const std::string& device);
  /// Reads what a task has left by now. Errors: InvalidArgument where it computed otherwise than
  /// those before; those of the files.
  [[nodiscard]] Result<> read(std::size_t task);
  /// Null: no task knows the model yet.
  [[nodiscard]] const report::Report* model() const;
  /// Those of the tasks that have one.
  [[nodiscard]] std::vector<const report::Report*> reports() const;
  /// Adds what was read. The first time that a task knows the model, the files of the results are
  /// opened; where an earlier session is resumed, it has to have been alike. Errors:
  /// InvalidArgument where tasks or sessions were not; those of the files.
  [[nodiscard]] Result<> add();
  /// Tells of every run that was told to have begun and has all of its samples, or that ended
  /// otherwise in a task, and saves the report. Errors: Io.
  [[nodiscard]] Result<> publishEnds();
  /// Says of every run that is left how it stands, and links the tensors. Errors: Io.
  [[nodiscard]] Result<> finish();

  [[nodiscard]] worker::StudyResults& results() { return m_results; }
  [[nodiscard]] const std::vector<worker::PlannedRun>& runs() const { return m_runs; }
  /// The samples that a task gave of a run, and whether it leaves the rest of it to others.
  [[nodiscard]] std::uint64_t samplesOf(std::size_t task, std::string_view run) const;
  [[nodiscard]] bool isLeftIn(std::size_t task, std::string_view run) const;
  /// Says of a run why nobody makes the rest of it; publishEnds() tells.
  void failRun(std::string_view run, const Error& error);
  /// The files of the results are open: there is something to save.
  [[nodiscard]] bool isOpen() const { return m_isOpen; }
  /// With what tasks or sessions are not alike.
  [[nodiscard]] const std::vector<std::string>& conflicts() const { return m_conflicts; }

 private:
  /// What a task has left so far.
  struct TaskResults {
    std::size_t number = 0;
    std::filesystem::path folder;
    report::ReportPtr report;
    std::vector<report::LogProbabilities> logProbabilities;
  };

  [[nodiscard]] const Task& taskOf(const TaskResults& results) const {
    return m_run.tasks[results.number];
  }
  [[nodiscard]] bool has(const TaskResults& results,
                         std::string_view run,
                         std::uint64_t sample) const;
  [[nodiscard]] engine::TokenOutcome tokensOf(const TaskResults& results,
                                              std::string_view run,
                                              std::uint64_t sample) const;
  [[nodiscard]] const TaskResults* findTask(std::string_view run, std::uint64_t sample) const;
  [[nodiscard]] Result<> checkAlike(const TaskResults& task);
  [[nodiscard]] Result<> open();
  [[nodiscard]] Result<worker::StudyResults::Layout> layoutOfFiles() const;
  void describe();
  [[nodiscard]] std::string devices() const;
  [[nodiscard]] Result<> copyTokens() const;
  [[nodiscard]] Result<> add(report::Run& record, std::uint64_t sample);
  [[nodiscard]] Result<> checkReference(const TaskResults& task, std::uint64_t sample);
  [[nodiscard]] const report::Run* endOf(const report::Run& record) const;
  [[nodiscard]] Result<> linkTensors(const report::Run& record) const;
  [[nodiscard]] Result<> indexTensors() const;

  const ClusterRun& m_run;
  const MergeOptions& m_options;
  worker::RunOptions m_workerOptions;
  worker::EventSink& m_sink;
  worker::StudyResults m_results;
  std::vector<worker::PlannedRun> m_runs;
  bool m_keepsTensors = false;
  bool m_isOpen = false;
  bool m_isRefused = false;  ///< what is resumed was made otherwise
  std::vector<TaskResults> m_tasks;
  std::size_t m_model = 0;  ///< the first task that knows the model
  bool m_hasModel = false;
  std::vector<std::size_t> m_keepers;  ///< of each sample: the task whose reference was taken
  std::set<std::pair<std::size_t, std::uint64_t>> m_checked;  ///< task and sample
  std::set<std::string, std::less<>> m_failed;                ///< runs whose end was not told
  std::vector<std::string> m_conflicts;
};

}  // namespace ulp::cluster
