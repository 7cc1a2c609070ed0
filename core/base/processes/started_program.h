#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace ulp {

/// A program of the user's, to be started as a shell starts it.
struct ProgramPlan {
  std::vector<std::string> words;  ///< the program, found in $PATH, and its arguments
  /// Variables of its environment, in place of those of this process.
  std::vector<std::pair<std::string, std::string>> variables{};
  /// A process group of its own, which can be told to end as a whole. Without it the terminal
  /// tells the program what it tells this process.
  bool hasOwnGroup = false;
  std::optional<int> input{};   ///< descriptor in place of standard input
  std::optional<int> output{};  ///< descriptor in place of standard output
  std::optional<int> errors{};  ///< descriptor in place of standard error
};

/// Starts it with the standard streams of this process, and no signal blocked or ignored. Errors:
/// NotFound, Io.
[[nodiscard]] Result<pid_t> startProgram(const ProgramPlan& plan);

}  // namespace ulp
