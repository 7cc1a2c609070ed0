#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/report/model/report.h"

/// Two runs, by what a user calls them: `FOLDER#RUN`, a folder, or a run of the folder before.
namespace ulp::cli {

/// A run and where it was found.
struct NamedRun {
  report::LoadedReport loaded;
  std::string run;
};

/// A run compared with another one, tensor by tensor.
struct RunPair {
  NamedRun baseline;
  NamedRun candidate;
  std::string baselineLabel;  ///< its name, with the folder where there are two
  std::string candidateLabel;
  report::ReportPtr report{};           ///< has the comparisons
  const report::Run* rows = nullptr;    ///< of the candidate with the baseline, in `report`
  std::size_t unmatched = 0;            ///< tensors that only one of the two runs kept
  std::vector<std::string> problems{};  ///< files that could not be read
};

/// Two runs by name. `first`: FOLDER#RUN, or FOLDER for its reference; `second`: the same, a run of
/// the first folder, or FOLDER for its only variant. Empty: `first` names a variant and is compared
/// with the reference of its study. Where one of them is the reference of the other's study, its
/// report has the comparisons, and the reference is the baseline; else they are made from the kept
/// tensors. Errors: those of loadReport(), InvalidArgument (no such run, with those that there
/// are), NotFound (tensors were not kept, with the remedy).
[[nodiscard]] Result<RunPair> openRunPair(const std::string& first, const std::string& second);

/// The names say which run of a folder is meant.
[[nodiscard]] bool namesRun(const std::string& name);

}  // namespace ulp::cli
