#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>
#include <string>

#include "app/cli/cluster/tasks.h"
#include "app/cli/command.h"

namespace ulp::cli {
namespace {

struct TaskFlags {
  std::string folder;
  std::size_t task = 0;
  std::string progress = "auto";
};

Result<> run(const TaskFlags& flags, const CommandContext& context) {
  const auto run = ULP_TRY(cluster::loadClusterRun(flags.folder));
  const auto progress =
      parseProgressMode(flags.progress, context.errIsTerminal).value_or(ProgressMode::Plain);
  return makeTask(run, flags.task, progress, context);
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
  command->callback(
      [flags, &context] { context.exitCode = context.exitCodeOf(run(*flags, context)); });
}

}  // namespace

void registerTask(CommandRegistry& registry) {
  registry.add({.order = 14, .add = addTaskCommand});
}

}  // namespace ulp::cli
