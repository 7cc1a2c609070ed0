#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace ulp {

/// A descriptor of this process, and the number under which a program finds it.
struct HandedOn {
  int descriptor = -1;
  int number = -1;
};

/// A program to be started, as a shell starts it unless it is said otherwise.
struct ProgramPlan {
  std::vector<std::string> words;  ///< the program, found in $PATH, and its arguments
  /// Variables of its environment, in place of those of this process.
  std::vector<std::pair<std::string, std::string>> variables{};
  /// A process group of its own, which can be told to end as a whole. Without it the terminal
  /// tells the program what it tells this process.
  bool hasOwnGroup = false;
  /// It may ask something at the terminal, yet takes no signal of it: SIGINT, SIGHUP, SIGQUIT.
  bool isDeafToTerminal = false;
  std::optional<int> input{};   ///< descriptor in place of standard input
  std::optional<int> output{};  ///< descriptor in place of standard output
  std::optional<int> errors{};  ///< descriptor in place of standard error
  std::vector<HandedOn> handedOn{};
};

/// Starts it with the standard streams of this process; no other signal is blocked or ignored.
/// Errors: NotFound, Io.
[[nodiscard]] Result<pid_t> startProgram(const ProgramPlan& plan);

}  // namespace ulp
