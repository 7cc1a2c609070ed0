#include <CLI/CLI.hpp>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "app/cli/command.h"
#include "core/engine/engine.h"

namespace ulp::cli {
namespace {

Result<> listModels(const CommandContext& context) {
  const auto engine = ULP_TRY(context.openEngine());
  constexpr const char* kRow = "{:<12}  {:<36}  {}\n";
  fmt::print(context.out, kRow, "family", "architectures (config.json)", "architectures (GGUF)");
  for (const engine::FamilyInfo& family : engine->families()) {
    fmt::print(context.out,
               kRow,
               family.id,
               fmt::join(family.architectures, ", "),
               fmt::join(family.ggufArchitectures, ", "));
  }
  return {};
}

void addModelsCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("models", "List the model families that can be run");
  command->callback([&context] { context.exitCode = context.exitCodeOf(listModels(context)); });
}

}  // namespace

void registerModels(CommandRegistry& registry) {
  registry.add({.order = 90, .add = addModelsCommand});
}

}  // namespace ulp::cli
