#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

/// A study as tasks of a cluster: planned, handed to Slurm, followed and put together again. No
/// thread of its own and no state but what lies in the folder of the run.
namespace ulp::cluster {

/// What a task asks Slurm for, beyond the threads of a process.
struct TaskNeed {
  int ranks = 1;          ///< processes of torch.distributed that its model is divided among
  bool isSpread = false;  ///< srun starts them, over the nodes of the job; else all are on one node

  friend auto operator<=>(const TaskNeed&, const TaskNeed&) = default;
};

/// One task: runs beside the reference on samples that follow one another, or the reference alone.
struct Task {
  std::vector<std::string> runs{};  ///< of a cluster one; none: the reference alone
  std::uint64_t firstSample = 0;
  std::uint64_t samples = 1;
  bool keepsReference = false;  ///< its results stand for the reference on these samples
  TaskNeed need{};
  std::string device{};  ///< empty: that of all tasks

  [[nodiscard]] std::uint64_t end() const { return firstSample + samples; }
  /// "bf16", "bf16, fp16", or "reference".
  [[nodiscard]] std::string name() const;
  friend bool operator==(const Task&, const Task&) = default;
};

/// The run is the reference, and no variant.
[[nodiscard]] bool isReference(std::string_view run);

struct TaskRequest {
  std::vector<std::string> runs{};  ///< variants and runs of a noise floor, in order
  std::uint64_t samples = 1;
  std::uint64_t samplesPerTask = 0;  ///< 0: all
  bool sharesReference = false;
};

/// Divides the samples into shares and makes a task of each run and share, all runs of a share
/// before the next. The first of a share keeps the reference; where the reference is shared, and
/// where there is no other run, a task of its own does, and these come first. Errors:
/// InvalidArgument for more tasks than Slurm counts (kMostTasks).
[[nodiscard]] Result<std::vector<Task>> planTasks(const TaskRequest& request);

/// What Slurm can number in an array at all; a cluster's MaxArraySize is mostly below it.
inline constexpr std::uint64_t kMostTasks = 4'000'001;

/// How many of them, from the first, make the reference for the others.
[[nodiscard]] std::size_t referenceTasks(const std::vector<Task>& tasks);

/// What both ask for together: the larger number of ranks, spread where one is.
[[nodiscard]] TaskNeed bothNeeds(const TaskNeed& a, const TaskNeed& b);

/// "0-3,7,9-10", as `sbatch --array` takes it. `numbers` rise.
[[nodiscard]] std::string arrayText(const std::vector<std::size_t>& numbers);

}  // namespace ulp::cluster
