#include <CLI/CLI.hpp>
#include <ostream>

#include "app/cli/command.h"
#include "app/cli/describe/manual_page.h"

namespace ulp::cli {
namespace {

void addManualCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("manual", "Print the manual page of this program");
  command->footer("Example: ulpscope-cli manual | man -l -");
  command->callback([&app, &context] { context.out << manualPage(describeCommands(app)); });
}

}  // namespace

void registerManual(CommandRegistry& registry) {
  registry.add({.order = 140, .add = addManualCommand});
}

}  // namespace ulp::cli
