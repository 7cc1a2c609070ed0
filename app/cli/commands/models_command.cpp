#include <CLI/CLI.hpp>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "app/cli/command.h"
#include "core/engine/engine.h"

namespace ulp::cli {
namespace {

ExitCode listModels(const CommandContext& context) {
  const auto engine = context.openEngine();
  if (!engine) {
    return context.reportError(engine.error());
  }
  constexpr const char* kRow = "{:<12}  {:<36}  {}\n";
  fmt::print(context.out, kRow, "family", "architectures (config.json)", "architectures (GGUF)");
  for (const engine::FamilyInfo& family : (*engine)->families()) {
    fmt::print(context.out,
               kRow,
               family.id,
               fmt::join(family.architectures, ", "),
               fmt::join(family.ggufArchitectures, ", "));
  }
  return ExitCode::Done;
}

void addModelsCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("models", "List the model families that can be run");
  command->callback([&context] { context.exitCode = listModels(context); });
}

}  // namespace

void registerModels(CommandRegistry& registry) {
  registry.add({.order = 90, .add = addModelsCommand});
}

}  // namespace ulp::cli
