#pragma once

#include <filesystem>
#include <string>

#include "app/cli/command.h"

namespace ulp::cli {

/// Errors: NotFound when the folder of an output file does not exist.
[[nodiscard]] Result<> checkFolder(const std::filesystem::path& path);
/// Replaces the file atomically and says so on `context.err`. Errors: those of checkFolder(), Io.
[[nodiscard]] Result<> writeOutput(const std::filesystem::path& path,
                                   const std::string& content,
                                   const CommandContext& context);
/// Writes the result of a command: to the file, as writeOutput() does, or to `context.out` where
/// the path is empty.
[[nodiscard]] Result<> showOutput(const std::filesystem::path& path,
                                  const std::string& content,
                                  const CommandContext& context);

}  // namespace ulp::cli
