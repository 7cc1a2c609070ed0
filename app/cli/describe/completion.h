#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "app/cli/describe/command_description.h"

namespace ulp::cli {

enum class Shell : std::uint8_t { Bash, Zsh, Fish };

/// Writes the script by which a shell completes commands, options, values that are listed, and
/// files everywhere else. `commands`: of describeCommands().
[[nodiscard]] std::string completionScript(Shell shell,
                                           std::span<const CommandDescription> commands);

}  // namespace ulp::cli
