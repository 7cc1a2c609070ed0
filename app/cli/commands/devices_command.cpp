#include <CLI/CLI.hpp>
#include <fmt/ostream.h>
#include <string>

#include "app/cli/command.h"
#include "core/base/text/format_number.h"
#include "core/engine/engine.h"

namespace ulp::cli {
namespace {

Result<> listDevices(const CommandContext& context) {
  const auto engine = ULP_TRY(context.openEngine());
  constexpr const char* kRow = "{:<8}  {:<44}  {:>10}  {}\n";
  fmt::print(context.out, "LibTorch {}\n", engine->torchVersion());
  fmt::print(context.out, kRow, "device", "name", "memory", "note");
  for (const engine::DeviceInfo& device : engine->devices()) {
    fmt::print(context.out,
               kRow,
               device.id,
               device.name,
               device.memoryBytes == 0 ? "–" : formatBytes(device.memoryBytes),
               device.note);
    if (!device.uuid.empty()) {
      fmt::print(context.out, "          uuid {}\n", device.uuid);
    }
    for (const auto& [fact, value] : device.facts) {
      fmt::print(context.out, "          {} {}\n", fact, value);
    }
  }
  if (const std::string problem = engine->cudaKernelsProblem(); !problem.empty()) {
    fmt::print(context.out, "{}\n", problem);
  }
  return {};
}

void addDevicesCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("devices", "List the devices on which a study can run");
  command->callback([&context] { context.exitCode = context.exitCodeOf(listDevices(context)); });
}

}  // namespace

void registerDevices(CommandRegistry& registry) {
  registry.add({.order = 100, .add = addDevicesCommand});
}

}  // namespace ulp::cli
