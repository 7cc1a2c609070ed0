#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>

#include "app/cli/command.h"
#include "app/cli/describe/completion.h"

namespace ulp::cli {
namespace {

void addCompletionCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("completion", "Print the script by which a shell completes commands");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "The shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer(
      "Example: source <(ulpscope-cli completion bash)\n"
      "         ulpscope-cli completion fish > ~/.config/fish/completions/ulpscope-cli.fish");
  command->callback([&app, shell, &context] {
    const Shell chosen = *shell == "bash"  ? Shell::Bash
                         : *shell == "zsh" ? Shell::Zsh
                                           : Shell::Fish;
    context.out << completionScript(chosen, describeCommands(app));
  });
}

}  // namespace

void registerCompletion(CommandRegistry& registry) {
  registry.add({.order = 130, .add = addCompletionCommand});
}

}  // namespace ulp::cli
