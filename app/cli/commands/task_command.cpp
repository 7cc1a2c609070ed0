#include <CLI/CLI.hpp>
#include <csignal>
#include <cstddef>
#include <memory>
#include <string>
#include <sys/prctl.h>

#include "app/cli/cluster/tasks.h"
#include "app/cli/command.h"

namespace ulp::cli {
namespace {

struct TaskFlags {
  std::string folder;
  std::size_t task = 0;
  std::string progress = "auto";
  bool hasControl = false;
};

Result<> run(const TaskFlags& flags, const CommandContext& context) {
  const auto run = ULP_TRY(cluster::loadClusterRun(flags.folder));
  const auto progress =
      parseProgressMode(flags.progress, context.errIsTerminal).value_or(ProgressMode::Plain);
  if (flags.hasControl) {
    // Nobody else reads its events.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  }
  return makeTask(run, flags.task, progress, flags.hasControl, context);
}

void addTaskCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("task", "Make one task of a study that was submitted, as its jobs do");
  const auto flags = std::make_shared<TaskFlags>();
  command->add_option("RUN", flags->folder, "Folder of the run, as submit has made it")->required();
  command->add_option("NUMBER", flags->task, "Number of the task, from 0")->required();
  command->add_option("--progress", flags->progress, "How progress is shown")
      ->check(CLI::IsMember({"auto", "plain", "jsonl", "none"}))
      ->capture_default_str();
  command->add_flag("--control",
                    flags->hasControl,
                    "Read commands from standard input, as run does, and end with the program that "
                    "started it");
  command->callback(
      [flags, &context] { context.exitCode = context.exitCodeOf(run(*flags, context)); });
}

}  // namespace

void registerTask(CommandRegistry& registry) {
  registry.add({.order = 14, .add = addTaskCommand});
}

}  // namespace ulp::cli
