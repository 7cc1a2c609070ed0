#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/remote/jobs/job_folder.h"

namespace ulp::remote {

/// How long a worker that was told to end may take before it is told more firmly.
struct KeeperPatience {
  int terminateMs = 15000;  ///< from SIGINT to SIGTERM
  int killMs = 5000;        ///< from SIGTERM to SIGKILL
};

/// Starts `program` serve --keep for an attempt, as a process that no end of a connection ends.
/// `lock` is that of JobFolder::begin(). Error: Io.
[[nodiscard]] Result<> startKeeper(const std::filesystem::path& program,
                                   const JobOrder& order,
                                   const FileDescriptor& lock);

/// Is that process: starts the worker of an attempt, writes down what it says and how it ends.
/// SIGTERM has it end the worker, as firmly as needed.
[[nodiscard]] Result<> keepJob(const std::filesystem::path& program,
                               const JobFolder& job,
                               int attempt,
                               KeeperPatience patience = {});

}  // namespace ulp::remote
