#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/report/model/report.h"
#include "runner/cluster/cluster_run.h"
#include "runner/worker/events/events.h"
#include "runner/worker/session/run_options.h"

namespace ulp::cluster {

/// Why a task has nothing more to give, as its place in the report says it: "task 3 ended as
/// TIMEOUT".
using TaskNote = std::function<std::string(std::size_t task)>;

struct MergeOptions {
  /// As worker::RunOptions::conclude.
  std::function<void(report::Report&)> conclude{};
  /// Asked for tasks that have not said how they ended. Empty: they are called not finished.
  TaskNote note{};
  /// Where the results go; empty: the folder of the run.
  std::filesystem::path output{};
  /// What the folder holds is replaced, or with Resume gone on with; `keepsFailed` as in
  /// worker::RunOptions.
  worker::ExistingResults existing = worker::ExistingResults::Overwrite;
  bool keepsFailed = false;
  std::vector<std::string> variants{};  ///< that were asked for by name
  /// The tasks are workers on devices of this machine, and not of a cluster: for messages.
  bool areOnDevices = false;
};

/// Puts what the tasks of a run have given so far together: the files that the whole study would
/// have left in the folder, in which all but times, memory, journal and log is the same to the bit.
/// A run whose tasks are not all done has the samples up to the first that is missing, and says
/// why. Earlier merged results are replaced, tensors are linked where the file system can, else
/// copied. Errors: NotFound where no task has given anything; InvalidArgument where tasks computed
/// otherwise than others (another GPU, another number of threads, another torch), with the task
/// and what differs; those of the files.
[[nodiscard]] Result<report::ReportPtr> mergeTasks(
    const ClusterRun& run,
    const MergeOptions& options,
    const std::function<void(const worker::Event&)>& emit);

}  // namespace ulp::cluster
