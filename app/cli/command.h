#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the name that the library has
class App;
}
namespace ulp::engine {
class Engine;
}
namespace ulp::pictures {
class Pictures;
}

/// The frame of `ulpscope-cli`: what every command gets, and the registry of the commands.
/// Results go to `out`, messages and progress to `err`.
namespace ulp::cli {

inline constexpr std::string_view kProgramName = "ulpscope-cli";

/// Exit codes of the process (DESIGN section 6, documented in docs/cli.md).
enum class ExitCode : std::uint8_t {
  Done = 0,
  RuleFailed = 1,   ///< a comparison rule failed
  BadInput = 2,     ///< wrong use, or a file that is missing, wrong or of a newer version
  RunFailed = 3,    ///< a run failed, or the machine refused (disk full, memory, device)
  Cancelled = 130,  ///< Ctrl-C
};

[[nodiscard]] ExitCode exitCodeFor(ErrorCode code);

/// Streams and services of the process, passed to every command.
struct CommandContext {
  std::ostream& out;
  std::ostream& err;
  bool outIsTerminal = false;
  bool errIsTerminal = false;
  bool errHasColour = false;  ///< a terminal, and neither NO_COLOR nor TERM=dumb is set
  std::function<Result<std::shared_ptr<engine::Engine>>()> openEngine;
  /// Called for pictures alone: what draws them links Qt.
  std::function<Result<std::shared_ptr<pictures::Pictures>>()> openPictures{};
  ExitCode exitCode = ExitCode::Done;  ///< set by the command that ran

  /// Writes `ulpscope-cli: message` for every line of the error to `err`, and returns the exit
  /// code.
  [[nodiscard]] ExitCode reportError(const Error& error) const;
  /// The same of every one; the code is that of the first, Done where there is none.
  [[nodiscard]] ExitCode reportErrors(const std::vector<Error>& errors) const;
  /// The exit code of a command that ended so; an error is reported.
  [[nodiscard]] ExitCode exitCodeOf(const Result<ExitCode>& end) const {
    return end ? *end : reportError(end.error());
  }
  [[nodiscard]] ExitCode exitCodeOf(const Result<>& end) const {
    return end ? ExitCode::Done : reportError(end.error());
  }
};

/// A subcommand: one file of commands/, <name>_command.cpp.
struct Command {
  int order = 0;  ///< among the commands that `--help` lists
  /// Adds the subcommand; its callback sets `context.exitCode`. `context` outlives `app`.
  void (*add)(CLI::App& app, CommandContext& context) = nullptr;
};

/// All commands, sorted by `order`.
class CommandRegistry {
 public:
  void add(const Command& command);
  [[nodiscard]] const std::vector<Command>& all() const { return m_commands; }

 private:
  std::vector<Command> m_commands;
};

/// Adds every command of commands/ (generated).
void registerBuiltin(CommandRegistry& registry);

/// Parses the command line, runs the command and returns the exit code of the process.
[[nodiscard]] ExitCode runCommandLine(int argc, const char* const* argv, CommandContext& context);

}  // namespace ulp::cli
