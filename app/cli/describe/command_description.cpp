#include "app/cli/describe/command_description.h"

#include <CLI/CLI.hpp>
#include <string_view>

namespace ulp::cli {
namespace {

/// {"text", "md"} of "TEXT:{text,md}".
std::vector<std::string> choicesOf(std::string_view type) {
  std::vector<std::string> choices;
  const std::size_t first = type.find('{');
  const std::size_t last = type.rfind('}');
  if (first == std::string_view::npos || last == std::string_view::npos || last < first) {
    return choices;
  }
  std::string_view rest = type.substr(first + 1, last - first - 1);
  while (!rest.empty()) {
    const std::string_view choice = rest.substr(0, rest.find(','));
    choices.emplace_back(choice);
    rest.remove_prefix(std::min(choice.size() + 1, rest.size()));
  }
  return choices;
}

OptionDescription describe(const CLI::Option& option) {
  OptionDescription description;
  if (option.get_positional()) {
    description.names.push_back(option.get_name(true));
  } else {
    for (const std::string& name : option.get_snames()) {
      description.names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames()) {
      description.names.push_back("--" + name);
    }
  }
  if (option.get_items_expected_max() > 0) {
    const std::string type = option.get_type_name();
    description.value = type.substr(0, type.find(':'));
    description.choices = choicesOf(type);
  }
  description.help = option.get_description();
  description.isRequired = option.get_required();
  description.takesMany = option.get_items_expected_max() > 1;
  return description;
}

CommandDescription describe(const CLI::App& command, std::string name) {
  CommandDescription description{.name = std::move(name),
                                 .help = command.get_description(),
                                 .footer = command.get_footer(),
                                 .positionals = {},
                                 .options = {}};
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) {
      continue;
    }
    (option->get_positional() ? description.positionals : description.options)
        .push_back(describe(*option));
  }
  return description;
}

}  // namespace

std::vector<CommandDescription> describeCommands(const CLI::App& app) {
  std::vector<CommandDescription> commands{describe(app, {})};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) {
      commands.push_back(describe(*command, command->get_name()));
      // A command without one has that of the program.
      if (commands.back().footer == commands.front().footer) {
        commands.back().footer.clear();
      }
    }
  }
  return commands;
}

}  // namespace ulp::cli
