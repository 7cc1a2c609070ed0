#pragma once

#include <string>
#include <vector>

#include "app/cli/command.h"

namespace ulp::cli {

/// The words of a command line, with each that names what lies on a host (`ssh://host/path`)
/// replaced by where it was copied to (remote::fetch()). Those behind `--on` stay, and those of
/// `jobs`. Errors: those of remote::fetch(); InvalidArgument where something is to be written
/// there.
[[nodiscard]] Result<std::vector<std::string>> withSourcesHere(std::vector<std::string> words,
                                                               const CommandContext& context);

}  // namespace ulp::cli
