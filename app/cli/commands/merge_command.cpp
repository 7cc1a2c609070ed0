#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/cli/cluster/tasks.h"
#include "app/cli/command.h"
#include "runner/cluster/slurm.h"

namespace ulp::cli {
namespace {

Result<ExitCode> run(const std::string& folder, const CommandContext& context) {
  const auto run = ULP_TRY(cluster::loadClusterRun(folder));
  const auto statuses = ULP_TRY(cluster::taskStatuses(run));
  return mergeRun(run, statuses, context);
}

void addMergeCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("merge", "Put the results of a study that was submitted into one report");
  const auto folder = std::make_shared<std::string>();
  command->add_option("RUN", *folder, "Folder of the run, as submit has made it")->required();
  command->callback(
      [folder, &context] { context.exitCode = context.exitCodeOf(run(*folder, context)); });
}

}  // namespace

void registerMerge(CommandRegistry& registry) {
  registry.add({.order = 16, .add = addMergeCommand});
}

}  // namespace ulp::cli
