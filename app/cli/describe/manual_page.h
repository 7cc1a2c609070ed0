#pragma once

#include <span>
#include <string>

#include "app/cli/describe/command_description.h"

namespace ulp::cli {

/// Writes the manual page of ulpscope-cli (section 1, man(7)). `commands`: of describeCommands().
[[nodiscard]] std::string manualPage(std::span<const CommandDescription> commands);

}  // namespace ulp::cli
