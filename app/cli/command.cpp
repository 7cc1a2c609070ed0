#include "app/cli/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ostream>
#include <poll.h>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "app/cli/host_sources.h"
#include "app/cli/terminal_text.h"
#include "core/base/barrier.h"
#include "core/base/text/edit_distance.h"

namespace ulp::cli {
namespace {

constexpr std::string_view kFooter =
    "Exit codes: 0 done, 1 a comparison rule failed, 2 wrong use or bad input, 3 a run failed,\n"
    "130 cancelled. Results go to standard output, progress and messages to standard error.\n"
    "`ulpscope-cli COMMAND --help` explains a command; docs/cli.md holds the manual.";

/// The first argument that is meant as an option and that `command` does not have; empty: none.
std::string unknownOption(const CLI::App& command, int argc, const char* const* argv) {
  for (int i = 2; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string argument = argv[i];
    const std::string name =
        argument.starts_with("--") ? argument.substr(0, argument.find('=')) : argument.substr(0, 2);
    const bool isOption = name.size() > 1 && name[0] == '-' && !std::isdigit(name[1]);
    if (isOption && command.get_option_no_throw(name) == nullptr) {
      return name;
    }
  }
  return {};
}

/// Of a letter an option that begins with it, else that whose name is spelt most alike; empty: none
/// is near.
std::string nearestOption(const CLI::App& command, const std::string& name) {
  std::string nearest;
  std::size_t distance = name.size() / 2;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& known : option->get_lnames()) {
      const bool isLetter = name.size() == 2;
      const std::size_t apart =
          isLetter ? (known[0] == name[1] ? 0 : distance) : editDistance(name, "--" + known);
      if (apart < distance) {
        distance = apart;
        nearest = "--" + known;
      }
    }
  }
  return nearest;
}

/// What CLI11 did not understand, of which it names the rest alone, backwards.
std::string extrasText(const CLI::App& app, int argc, const char* const* argv) {
  const std::vector<const CLI::App*> chosen =
      app.get_subcommands([](const CLI::App* each) { return each->parsed(); });
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  if (const std::string name = unknownOption(command, argc, argv); !name.empty()) {
    const std::string nearest = nearestOption(command, name);
    return fmt::format("{}: '{}' has no such option{}",
                       name,
                       command.get_name(),
                       nearest.empty() ? "" : "; the nearest is " + nearest);
  }
  return fmt::format("not expected: {}", fmt::join(app.remaining(true), " "));
}

ExitCode parseAndRun(CLI::App& app, int argc, const char* const* argv, CommandContext& context) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    // CLI11 asks the subcommand that was named, when there is one.
    context.out << app.help();
    return ExitCode::Done;
  } catch (const CLI::CallForAllHelp&) {
    context.out << app.help("", CLI::AppFormatMode::All);
    return ExitCode::Done;
  } catch (const CLI::CallForVersion& version) {
    context.out << version.what() << '\n';
    return ExitCode::Done;
  } catch (const CLI::ExtrasError&) {
    return context.reportError(
        Error(ErrorCode::InvalidArgument,
              extrasText(app, argc, argv) + "; `ulpscope-cli --help` lists the usage"));
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    while (message.ends_with('\n')) {
      message.pop_back();
    }
    return context.reportError(
        Error(ErrorCode::InvalidArgument, message + "; `ulpscope-cli --help` lists the usage"));
  }
  return context.exitCode;
}

/// Whether nobody reads standard output any more, as behind `| head`: reason enough to say nothing.
bool isReaderGone() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

/// Whether the folder that the program was started in was removed.
bool isFolderGone() {
  std::error_code gone;
  static_cast<void>(std::filesystem::current_path(gone));
  return gone == std::errc::no_such_file_or_directory;
}

ExitCode obey(int argc, const char* const* argv, CommandContext& context) {
  CLI::App app(
      "Shows where a language model loses precision: runs it in full and in reduced\n"
      "precision, compares every tensor and reports the differences.",
      std::string(kProgramName));
  app.set_version_flag("--version", std::string("ulpscope-cli ") + ULP_VERSION);
  app.footer(std::string(kFooter));
  app.require_subcommand(1);
  CommandRegistry commands;
  registerBuiltin(commands);
  for (const Command& command : commands.all()) {
    command.add(app, context);
  }
  if (argc < 2) {
    context.err << app.help();
    return ExitCode::BadInput;
  }
  const std::string first = argv[1];
  std::vector<CLI::App*> known = app.get_subcommands([](const CLI::App*) { return true; });
  const bool isKnown =
      std::ranges::any_of(known, [&](const CLI::App* each) { return each->check_name(first); });
  if (!first.starts_with('-') && !isKnown) {
    std::erase_if(known, [](const CLI::App* each) { return each->get_group().empty(); });
    const CLI::App* nearest = std::ranges::min(
        known, {}, [&](const CLI::App* each) { return editDistance(first, each->get_name()); });
    return context.reportError(Error(
        ErrorCode::InvalidArgument,
        fmt::format("'{}' is no command; the nearest is '{}'; `ulpscope-cli --help` lists all",
                    first,
                    nearest->get_name())));
  }
  return parseAndRun(app, argc, argv, context);
}

}  // namespace

ExitCode exitCodeFor(ErrorCode code) {
  switch (code) {
    case ErrorCode::InvalidArgument:
    case ErrorCode::NotFound:
    case ErrorCode::CorruptData:
    case ErrorCode::Unsupported:
      return ExitCode::BadInput;
    case ErrorCode::Cancelled:
      return ExitCode::Cancelled;
    case ErrorCode::Io:
    case ErrorCode::OutOfMemory:
    case ErrorCode::Device:
    case ErrorCode::Internal:
    case ErrorCode::RunFailed:
      return ExitCode::RunFailed;
  }
  return ExitCode::RunFailed;
}

void CommandRegistry::add(const Command& command) {
  const auto next = std::ranges::upper_bound(m_commands, command.order, {}, &Command::order);
  m_commands.insert(next, command);
}

ExitCode CommandContext::reportError(const Error& error) const {
  const TerminalCode red{errHasColour ? "\033[1;31m" : ""};
  const TerminalCode usual{errHasColour ? "\033[0m" : ""};
  std::string_view rest = error.message();
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    err << red << kProgramName << ':' << usual << ' ' << rest.substr(0, end) << '\n';
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  }
  return exitCodeFor(error.code());
}

ExitCode CommandContext::reportErrors(const std::vector<Error>& errors) const {
  ExitCode code = ExitCode::Done;
  for (const Error& error : errors) {
    const ExitCode own = reportError(error);
    code = code == ExitCode::Done ? own : code;
  }
  return code;
}

ExitCode runCommandLine(int argc, const char* const* argv, CommandContext& context) {
  const std::vector<std::string_view> words(argv + std::min(argc, 1), argv + argc);
  const auto end =
      behindBarrier(fmt::format("{}", fmt::join(words, " ")), [&]() -> Result<ExitCode> {
        const std::vector<std::string> here =
            ULP_TRY(withSourcesHere({argv, argv + argc}, context));
        std::vector<const char*> pointers;
        for (const std::string& word : here) {
          pointers.push_back(word.c_str());
        }
        pointers.push_back(nullptr);
        return obey(argc, pointers.data(), context);
      });
  const ExitCode exitCode = context.exitCodeOf(end);
  if ((exitCode == ExitCode::BadInput || exitCode == ExitCode::RunFailed) && isFolderGone()) {
    static_cast<void>(context.reportError(
        Error(ErrorCode::NotFound,
              "the folder that this was started in does not exist any more: relative paths lead "
              "nowhere; change to another one")));
  }
  context.out.flush();
  if (context.out || exitCode != ExitCode::Done || isReaderGone()) {
    return exitCode;
  }
  return context.reportError(
      Error(ErrorCode::Io, "standard output: cannot write the result; is the disk full?"));
}

}  // namespace ulp::cli
