#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/record/record_options.h"
#include "core/json/value.h"

namespace ulp::cli {

enum class RecordProgress : std::uint8_t { Plain, JsonLines, None };

struct RecordRequest {
  std::vector<std::string> words;  ///< of the program
  RecordWishes wishes;
  RecordProgress progress = RecordProgress::Plain;
};

/// Runs a program whose Python processes record, passes on what the terminal and others tell it,
/// and says in the end where the recording is. The exit code is the program's; RunFailed where it
/// ended well and nothing, or not all, was recorded. Errors: those of recordFolder(),
/// recordOptions() and startProgram().
[[nodiscard]] Result<ExitCode> recordProgram(const RecordRequest& request,
                                             const CommandContext& context);

}  // namespace ulp::cli
