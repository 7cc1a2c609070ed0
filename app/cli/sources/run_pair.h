#pragma once

#include <string>

#include "core/analysis/reports/run_pair.h"
#include "core/base/result.h"

/// Two runs, by what a user calls them: `FOLDER#RUN`, a folder, or a run of the folder before.
namespace ulp::cli {

/// Two runs by name. `first`: FOLDER#RUN, or FOLDER for its reference; `second`: the same, a run of
/// the first folder, or FOLDER for its only variant. Empty: `first` names a variant and is compared
/// with the reference of its study. Runs of two studies are called FOLDER#RUN. Errors: those of
/// loadReport() and of analysis::pairRuns().
[[nodiscard]] Result<analysis::RunPair> openRunPair(const std::string& first,
                                                    const std::string& second);

/// The names say which run of a folder is meant.
[[nodiscard]] bool namesRun(const std::string& name);

}  // namespace ulp::cli
