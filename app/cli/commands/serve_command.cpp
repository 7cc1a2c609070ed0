#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <unistd.h>

#include "app/cli/command.h"
#include "app/cli/run/new_process.h"
#include "core/analysis/hosts/numbers_answer.h"
#include "core/dumps/serving/dump_shelf.h"
#include "core/remote/jobs/job_folder.h"
#include "core/remote/jobs/job_keeper.h"
#include "core/remote/serving/server.h"

namespace ulp::cli {
namespace {

struct ServeFlags {
  std::string job;  ///< empty: a connection is served
  int attempt = 0;
};

Result<> serve(const ServeFlags& flags) {
  const std::filesystem::path program = ULP_TRY(ownProgram());
  if (!flags.job.empty()) {
    const auto folder = ULP_TRY(remote::JobFolder::of(flags.job));
    return remote::keepJob(program, folder, flags.attempt);
  }
  return remote::Server(STDIN_FILENO,
                        STDOUT_FILENO,
                        program,
                        std::make_unique<dumps::DumpShelf>(),
                        analysis::answerNumbers)
      .run();
}

void addServeCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("serve", "Answer Ulpscope on another machine: what ssh starts there");
  // Nobody types it: it is in no list of commands.
  command->group("");
  const auto flags = std::make_shared<ServeFlags>();
  command->add_option("--keep", flags->job, "Run a study that was sent, and watch it")->group("");
  command->add_option("--attempt", flags->attempt)->group("");
  command->callback([flags, &context] { context.exitCode = context.exitCodeOf(serve(*flags)); });
}

}  // namespace

void registerServe(CommandRegistry& registry) {
  registry.add({.order = 200, .add = addServeCommand});
}

}  // namespace ulp::cli
