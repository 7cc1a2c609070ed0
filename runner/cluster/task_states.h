#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/cluster/cluster_run.h"

namespace ulp::cluster {

enum class TaskState : std::uint8_t {
  Waiting,  ///< not submitted, or taken back
  Pending,  ///< in Slurm's queue
  Running,
  Done,
  Failed
};
inline constexpr std::array kTaskStates{
    TaskState::Waiting, TaskState::Pending, TaskState::Running, TaskState::Done, TaskState::Failed};
/// "waiting", "pending", "running", "done", "failed"
[[nodiscard]] std::string_view toString(TaskState state);

/// How a task stands.
struct TaskStatus {
  TaskState state = TaskState::Waiting;
  std::string reason{};  ///< why it is pending or failed
  std::string node{};    ///< where it runs or ran
  std::string job{};     ///< "123_4"; empty: none
};

/// What Slurm says of an element of an array, by "123_4".
struct JobEntry {
  std::string state;  ///< "PENDING", "NODE_FAIL", …
  std::string node;
  std::string reason;
};
using JobEntries = std::map<std::string, JobEntry, std::less<>>;

/// `squeue --format` whose lines parseQueue() reads, and `sacct --format` of parseAccounts().
inline constexpr std::string_view kQueueFormat = "%i|%T|%N|%r";
inline constexpr std::string_view kAccountFormat = "JobID,State,NodeList,ExitCode";

/// Reads what squeue prints without a heading. "1_[2-5,7%2]" stands for each of its elements; a
/// line that is none of the kind is passed over.
[[nodiscard]] JobEntries parseQueue(std::string_view text);
/// Reads what `sacct --parsable2 --noheader` prints. Steps of jobs are passed over, and of
/// "CANCELLED by 1000" and "CANCELLED+" the first word counts.
[[nodiscard]] JobEntries parseAccounts(std::string_view text);

/// What is known of a task.
struct TaskFacts {
  std::string job{};                  ///< "123_4" of its last submission; empty: none
  std::optional<TaskEnd> end{};       ///< how it ended by itself
  std::optional<JobEntry> queued{};   ///< of squeue
  std::optional<JobEntry> account{};  ///< of sacct
  bool isQueueKnown = true;  ///< false: squeue could not be asked, and nothing is concluded from it
};
/// Slurm's queue decides where the task is in it, else how it ended by itself, else Slurm's
/// accounts; a task of which nobody knows anything any more was lost.
[[nodiscard]] TaskStatus statusOf(const TaskFacts& facts);

/// How many tasks are in each state, in the order of kTaskStates.
[[nodiscard]] std::array<std::size_t, kTaskStates.size()> countStates(
    const std::vector<TaskStatus>& all);
/// "1 running, 2 pending (Resources), 5 done"; states without tasks are left out.
[[nodiscard]] std::string summaryOf(const std::vector<TaskStatus>& all);
/// {"tasks": […], "counts": {…}, "summary", "folder", "jobs"} for programs, in one line.
[[nodiscard]] std::string statusJson(const ClusterRun& run, const std::vector<TaskStatus>& all);

}  // namespace ulp::cluster
