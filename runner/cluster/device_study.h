#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/report/model/report.h"
#include "core/study/reading/study.h"
#include "runner/worker/events/events.h"
#include "runner/worker/session/run_options.h"

namespace ulp::cluster {

/// Folder in that of a study while its workers run.
inline constexpr std::string_view kPartFolder = "parts";

struct DeviceStudyRequest {
  const study::Study& study;
  std::vector<std::string> sets{};     ///< with which it was read
  std::vector<std::string> devices{};  ///< of one kind; one may stand there twice
  const worker::RunOptions& options;   ///< `device` and `part` say nothing
  std::filesystem::path program;       ///< ulpscope-cli, which makes the tasks
};

/// Adds to the results in a folder what the workers of a command that was killed have left there,
/// where these are to be gone on with (`options.existing`); else it is removed. Does nothing where
/// nothing was left. Errors: those of worker::RunFolder::claim(); Io.
[[nodiscard]] Result<> settleLostParts(const std::filesystem::path& output,
                                       const worker::RunOptions& options);

/// Tells whether enough runs and samples are left of a study for two workers. Errors: those of
/// worker::planRuns() and, of results that are gone on with, report::loadReport().
[[nodiscard]] Result<bool> canBeShared(const DeviceStudyRequest& request);

/// Runs a study on several devices of this machine: its runs are shared out, a worker process on
/// each device makes its share as a task (runner/cluster), beside a reference of its own, and what
/// the tasks give is put together while they work. The report is the same to the bit as that of one
/// device, apart from times and memory. A worker that dies fails the variant at which it was, and
/// another one makes the rest. `emit` is told what one session would tell; a stop ends all workers.
/// Errors: those of worker::runStudy(); InvalidArgument where devices compute otherwise than
/// others.
[[nodiscard]] Result<report::ReportPtr> runOnDevices(
    const DeviceStudyRequest& request,
    const std::function<void(const worker::Event&)>& emit,
    const std::stop_token& stop);

}  // namespace ulp::cluster
