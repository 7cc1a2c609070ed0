#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/compat/comparator.h"
#include "core/dumps/msprobe/process_folder.h"

namespace ulp::compat::msprobe {

/// Two processes that are compared into one file.
struct ProcessPair {
  dumps::msprobe::ProcessFolder target;
  dumps::msprobe::ProcessFolder golden;
  std::string suffix;            ///< "_rank0", "_proc4711", "_rank"; empty: one file asked for
  std::filesystem::path folder;  ///< below the output: "step3" where there are several steps
  std::string key;               ///< processKey() of the target
};
struct ProcessPairs {
  std::vector<ProcessPair> pairs;
  std::vector<std::string> notes;  ///< processes on one side alone, ranks of other numbers
};
/// Ranks in their order where both sides have as many, else by number; a single process with any
/// single one; steps by name. Errors: NotFound; InvalidArgument where nothing fits.
[[nodiscard]] Result<ProcessPairs> pairProcesses(const std::filesystem::path& target,
                                                 const std::filesystem::path& golden);

/// Gives msprobe's name of a process in JSON: "rank_0", also without a rank where it is the only
/// one; else the name of its folder.
[[nodiscard]] std::string processKey(const dumps::msprobe::ProcessFolder& process, bool isOnly);

/// Tells whether a file holds values that a program saved.
[[nodiscard]] inline bool isDebugFile(const std::filesystem::path& json) {
  return json.filename() == "debug.json";
}

/// "compare_result_rank0_20261121072259", of debug.json "debug_compare_result_…".
[[nodiscard]] std::string tableName(const ProcessPair& processes, const std::string& timestamp);

}  // namespace ulp::compat::msprobe
