#pragma once

#include <chrono>
#include <string>

#include "core/base/processes/started_program.h"
#include "core/base/result.h"

namespace ulp {

struct ProgramOutput {
  std::string text;    ///< of standard output
  std::string errors;  ///< of standard error, unless the plan leads that elsewhere
  int exitCode = 0;    ///< 128 and the signal where one ended it, as shells count
};

/// Runs a program of the user's to its end and gives what it wrote, of which more than sixteen
/// mebibytes are cut off. `plan.output` is not looked at. It is killed where it takes longer than
/// `limit`, with all that it started. Errors: NotFound, Io, Unsupported (it took too long).
[[nodiscard]] Result<ProgramOutput> outputOf(ProgramPlan plan, std::chrono::milliseconds limit);

}  // namespace ulp
