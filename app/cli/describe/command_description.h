#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the name that the library has
class App;
}

/// What the parser knows of commands and options, for texts that are made of it: completion of
/// shells, manual pages.
namespace ulp::cli {

struct OptionDescription {
  std::vector<std::string> names;  ///< "-o", "--output"; of a positional its one name: "STUDY"
  std::string value{};             ///< what it takes: "TEXT", "INT"; empty: nothing
  std::string help{};
  std::vector<std::string> choices{};  ///< all values that it takes, where these are listed
  bool isRequired = false;
  bool takesMany = false;
};

struct CommandDescription {
  std::string name;
  std::string help;
  std::string footer;  ///< examples
  std::vector<OptionDescription> positionals;
  std::vector<OptionDescription> options;
};

/// Describes the program itself, without a name for the command, and then each command that
/// `--help` lists, in its order.
[[nodiscard]] std::vector<CommandDescription> describeCommands(const CLI::App& app);

}  // namespace ulp::cli
