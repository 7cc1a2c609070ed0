#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/processes/program_output.h"
#include "core/base/result.h"
#include "runner/cluster/cluster_run.h"
#include "runner/cluster/task_states.h"

/// Slurm's programs, as a user calls them.
namespace ulp::cluster {

/// Tasks that one job array can have: they ask for the same.
struct TaskArray {
  std::vector<std::size_t> tasks;
  bool isReference = false;  ///< they make the reference that others share, and come first
};
/// Tasks of a run by what they ask for.
[[nodiscard]] std::vector<TaskArray> arraysOf(const ClusterRun& run,
                                              std::vector<std::size_t> tasks);

/// The words of `sbatch` for tasks of a run that ask for the same, which begin once job `after` is
/// done (empty: at once).
[[nodiscard]] std::vector<std::string> arrayWords(const ClusterRun& run,
                                                  const std::vector<std::size_t>& tasks,
                                                  std::string_view after);
/// The same for the job that puts results together once these jobs have ended, however that was.
/// It needs no GPU and no second node: such options are left out.
[[nodiscard]] std::vector<std::string> mergeWords(const ClusterRun& run,
                                                  const std::vector<std::string>& after);

/// What went wrong at a call of sbatch, with what the user can do where that is known.
[[nodiscard]] Error refusalOf(std::string_view program, const ProgramOutput& outcome);

/// Submits tasks, and what puts their results together behind them; where the reference is shared,
/// its tasks first. `run` knows the jobs behind it, and so does its file. How the tasks ended
/// before is forgotten. Errors: NotFound without Slurm; InvalidArgument, with Slurm's words and the
/// remedy, where it refuses; Io. What was submitted before an error stays and is known.
[[nodiscard]] Result<> submitTasks(ClusterRun& run, std::vector<std::size_t> tasks);

/// How all tasks of a run stand. Without squeue, or where it does not answer, by their files.
/// Errors: those of readTaskEnd().
[[nodiscard]] Result<std::vector<TaskStatus>> taskStatuses(const ClusterRun& run);

/// Takes back the jobs that would put results together, so that whoever does it here is alone.
/// False: one is at work already.
[[nodiscard]] Result<bool> takeBackMerge(const ClusterRun& run);

/// Takes jobs back that wait or run. Errors: NotFound without Slurm; InvalidArgument with its
/// words.
[[nodiscard]] Result<> cancelTasks(const ClusterRun& run);

}  // namespace ulp::cluster
