#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/ostream.h>
#include <memory>
#include <string_view>

#include "app/cli/command.h"
#include "app/cli/doctor/checks.h"
#include "core/json/writer.h"

namespace ulp::cli {
namespace {

std::string_view stateName(CheckState state) {
  switch (state) {
    case CheckState::Fine:
      return "ok";
    case CheckState::Absent:
      return "absent";
    case CheckState::Broken:
      return "broken";
  }
  return {};
}

std::vector<Check> allChecks(const CommandContext& context) {
  std::vector<Check> all = machineChecks();
  // Devices are asked before pictures load libraries of their own.
  for (auto&& checks :
       {programChecks(), engineChecks(context), pythonChecks(), windowChecks(context)}) {
    all.insert(all.end(), checks.begin(), checks.end());
  }
  return all;
}

void printText(const CommandContext& context, const std::vector<Check>& checks) {
  std::size_t width = 0;
  for (const Check& check : checks) {
    width = std::max(width, check.name.size());
  }
  for (const Check& check : checks) {
    fmt::print(
        context.out, "{:<6}  {:<{}}  {}\n", stateName(check.state), check.name, width, check.found);
    if (!check.remedy.empty()) {
      fmt::print(context.out, "{:<6}  {:<{}}  → {}\n", "", "", width, check.remedy);
    }
  }
}

void printJson(const CommandContext& context, const std::vector<Check>& checks) {
  json::Writer writer({.indent = 2});
  writer.beginArray();
  for (const Check& check : checks) {
    writer.value([&] {
      writer.key("name");
      writer.value(check.name);
      writer.key("state");
      writer.value(stateName(check.state));
      writer.key("found");
      writer.value(check.found);
      writer.key("remedy");
      writer.value(check.remedy);
    });
  }
  writer.endArray();
  fmt::print(context.out, "{}\n", std::move(writer).take());
}

void addDoctorCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("doctor", "Tell what is found on this machine, and how to get the rest");
  auto isJson = std::make_shared<bool>(false);
  command->add_flag("--json", *isJson, "A list of {name, state, found, remedy}");
  command->callback([isJson, &context] {
    const std::vector<Check> checks = allChecks(context);
    *isJson ? printJson(context, checks) : printText(context, checks);
    const bool isBroken =
        std::ranges::find(checks, CheckState::Broken, &Check::state) != checks.end();
    context.exitCode = isBroken ? ExitCode::RunFailed : ExitCode::Done;
  });
}

}  // namespace

void registerDoctor(CommandRegistry& registry) {
  registry.add({.order = 120, .add = addDoctorCommand});
}

}  // namespace ulp::cli
