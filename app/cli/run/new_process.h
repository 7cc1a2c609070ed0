#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/run/study_run.h"
#include "core/base/error.h"
#include "core/base/result.h"

namespace ulp::cli {

/// This program, as scripts and other processes name it. Error: Io.
[[nodiscard]] Result<std::filesystem::path> ownProgram();

/// Of the command line of these arguments what chooses and changes runs: settings, variants, device
/// and threads.
[[nodiscard]] std::vector<std::string> choosingWords(const RunArguments& arguments);

/// The command line that makes what these arguments left of a study: finished, skipped and failed
/// runs stay.
[[nodiscard]] std::vector<std::string> wordsToGoOn(const RunArguments& arguments);

/// Becomes a new process that makes what is left of the study, with the same process id, standard
/// streams, folder and blocked signals; a CUDA device that failed serves it again. Returns where
/// the system refuses: Io.
[[nodiscard]] Error goOnInNewProcess(const RunArguments& arguments);

}  // namespace ulp::cli
