#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/run/run_progress.h"
#include "core/report/model/report.h"
#include "runner/cluster/cluster_run.h"
#include "runner/cluster/task_states.h"

/// What `submit`, `task` and `merge` do with a run of a cluster.
namespace ulp::cli {

/// Makes a task in this process, in the folder from which the study was submitted; goes on where an
/// earlier attempt at it ended, and leaves behind how this one did. Errors: those of the study.
/// `hasControl`: as in RunArguments.
[[nodiscard]] Result<> makeTask(const cluster::ClusterRun& run,
                                std::size_t task,
                                ProgressMode progress,
                                bool hasControl,
                                const CommandContext& context);

/// Makes tasks one after another, each in a process of its own. One that fails does not stop the
/// others. Errors: Io; Cancelled, where one was.
[[nodiscard]] Result<> makeTasksHere(const cluster::ClusterRun& run,
                                     const std::vector<std::size_t>& tasks);

/// Puts together what the tasks have given and prints its summary; what is missing goes to
/// `context.err`. RunFailed where something is. Errors: those of cluster::mergeTasks().
[[nodiscard]] Result<ExitCode> mergeRun(const cluster::ClusterRun& run,
                                        const std::vector<cluster::TaskStatus>& statuses,
                                        const CommandContext& context);

}  // namespace ulp::cli
