#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>

#include "app/cli/command.h"

namespace ulp::cli {

/// Errors: NotFound when the folder of an output file does not exist.
[[nodiscard]] Result<> checkFolder(const std::filesystem::path& path);
/// Replaces the file atomically and says so on `context.err`. Errors: those of checkFolder(), Io.
[[nodiscard]] Result<> writeOutput(const std::filesystem::path& path,
                                   const std::string& content,
                                   const CommandContext& context);
/// Whether -o means standard output: it is missing, or "-".
[[nodiscard]] bool isStandardOutput(const std::filesystem::path& path);
/// Writes the result of a command: to the file, as writeOutput() does, or to `context.out` where
/// it is isStandardOutput().
[[nodiscard]] Result<> showOutput(const std::filesystem::path& path,
                                  const std::string& content,
                                  const CommandContext& context);

/// "comparing 42 %", one line on a terminal that is drawn again and wiped away in the end; nothing
/// elsewhere, and nothing where `isQuiet`.
class ProgressLine {
 public:
  ProgressLine(const CommandContext& context, std::string action, bool isQuiet = false);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void operator()(std::uint64_t done, std::uint64_t total);

 private:
  std::ostream& m_err;
  std::string m_action;
  bool m_isShown;
  int m_percent = -1;
};

}  // namespace ulp::cli
