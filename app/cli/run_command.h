#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/run_progress.h"
#include "runner/worker/run_options.h"

namespace ulp::cli {

/// The command line of `run`.
struct RunArguments {
  std::filesystem::path study;
  std::vector<std::string> sets;
  ProgressMode progress = ProgressMode::Plain;
  bool hasControl = false;  ///< standard input is read for commands (ControlInput)
  worker::RunOptions options;
};

/// Runs a study in this process until it is done, failed or stopped by a signal (StopSignals).
/// Prints the summary and the path of the report to `out`, or with JsonLines the events alone.
[[nodiscard]] ExitCode runStudyFile(const RunArguments& arguments, const CommandContext& context);

}  // namespace ulp::cli
