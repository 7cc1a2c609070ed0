#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/run/run_progress.h"
#include "core/report/model/report.h"
#include "core/study/reading/study.h"
#include "runner/worker/session/run_options.h"

namespace ulp::cli {

/// Where else a study runs.
struct RemoteArguments {
  std::string host;                 ///< as parseHost() reads it
  std::string output{};             ///< folder of the results there; empty: one of Ulpscope's own
  std::string program{};            ///< ulpscope-cli there; empty: looked for
  bool installs = false;            ///< copies Ulpscope there where it is missing
  std::string archive{};            ///< that is copied; empty: looked for
  std::vector<std::string> send{};  ///< more files and folders that lie beside the study
};

/// The command line of `run`.
struct RunArguments {
  std::filesystem::path study;
  std::optional<study::Study> inMemory{};  ///< in place of the file
  std::vector<std::string> sets;
  ProgressMode progress = ProgressMode::Plain;
  bool hasControl = false;  ///< standard input is read for commands (readControlInput())
  worker::RunOptions options;
  std::optional<RemoteArguments> remote{};  ///< none: on this machine
};

/// Runs a study in this process until it is done, failed or stopped by a signal (StopSignals);
/// where its device is lost on the way, a new process takes the place of this one
/// (goOnInNewProcess()). Prints the summary and the path of the report to `out`, or with JsonLines
/// the events alone. Errors: those of the study.
[[nodiscard]] Result<> runStudyFile(const RunArguments& arguments, const CommandContext& context);

/// A study that is done.
struct FinishedStudy {
  report::ReportPtr report;
  std::filesystem::path reportFile;
};
/// The same without the summary: what a study found is for the caller to say. After an error what
/// could be finished is printed. Errors: those of the study.
[[nodiscard]] Result<FinishedStudy> runStudyQuietly(const RunArguments& arguments,
                                                    const CommandContext& context);

}  // namespace ulp::cli
