#include "app/cli/describe/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

#include "app/cli/command.h"
#include "core/base/list_of.h"

namespace ulp::cli {
namespace {

using Commands = std::span<const CommandDescription>;

/// For single quotes of a shell; `special`: characters that whoever reads the word takes for its
/// own.
std::string shellText(std::string_view text, std::string_view special = {}) {
  std::string word;
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) {
      word += '\\';
    }
    word += c;
  }
  return word;
}

std::string shellWord(std::string_view text, std::string_view special = {}) {
  return fmt::format("'{}'", shellText(text, special));
}

std::string shellList(const std::vector<std::string>& words) {
  return shellWord(fmt::format("{}", fmt::join(words, " ")));
}

std::vector<std::string> namesOfAll(const std::vector<OptionDescription>& options) {
  std::vector<std::string> names;
  for (const OptionDescription& option : options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

std::vector<std::string> commandNames(Commands commands) {
  return listOf(commands.subspan(1), [](const CommandDescription& each) { return each.name; });
}

/// "report --format"|"report -f", the patterns under which `case` finds an option.
std::string bashPattern(const CommandDescription& command, const OptionDescription& option) {
  return fmt::format("{}",
                     fmt::join(listOf(option.names,
                                      [&](const std::string& name) {
                                        return shellWord(command.name + " " + name);
                                      }),
                               "|"));
}

std::string bashScript(Commands commands) {
  std::string values;
  std::string words;
  for (const CommandDescription& command : commands) {
    std::vector<std::string> names = namesOfAll(command.options);
    if (command.name.empty()) {
      const std::vector<std::string> all = commandNames(commands);
      names.insert(names.begin(), all.begin(), all.end());
    }
    words += fmt::format("    {}) words={} ;;\n", shellWord(command.name), shellList(names));
    for (const OptionDescription& option : command.options) {
      if (!option.value.empty()) {
        values += fmt::format("    {}) words={}; isValue=1 ;;\n",
                              bashPattern(command, option),
                              shellList(option.choices));
      }
    }
  }
  return fmt::format(
      R"(# Completes {0} in bash. `{0} completion bash` writes it.
_ulpscope_cli() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command= words= isValue= i
  # bash takes --option=value apart.
  if [[ $word == = ]]; then
    word=
  elif [[ $previous == = ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    # What stands behind is the command of somebody else.
    [[ ${{COMP_WORDS[i]}} == -- ]] && return
    [[ -z $command && ${{COMP_WORDS[i]}} != -* ]] && command=${{COMP_WORDS[i]}}
  done
  COMPREPLY=()
  case "$command $previous" in
{1}  esac
  if [[ -z $isValue && ( -z $command || $word == -* ) ]]; then
    case $command in
{2}    esac
  fi
  # Without an answer bash offers files.
  [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}}
complete -o bashdefault -o default -F _ulpscope_cli {0}
)",
      kProgramName,
      values,
      words);
}

/// '(-o --output)'{-o,--output}'[File to write]:TEXT:_files'
std::string zshOption(const OptionDescription& option) {
  std::string names;
  if (option.takesMany) {
    names = fmt::format("{}", fmt::join(option.names, ",\\*"));
    names = option.names.size() > 1 ? fmt::format("{{\\*{}}}", names) : "\\*" + names;
  } else if (option.names.size() > 1) {
    names = fmt::format("'({})'{{{}}}", fmt::join(option.names, " "), fmt::join(option.names, ","));
  } else {
    names = option.names.front();
  }
  std::string rest = "]";
  if (!option.value.empty()) {
    rest += option.choices.empty()
                ? fmt::format(":{}:_files", option.value)
                : fmt::format(":{}:({})", option.value, fmt::join(option.choices, " "));
  }
  return fmt::format("{}'[{}{}'", names, shellText(option.help, "[]:\\"), rest);
}

std::string zshScript(Commands commands) {
  std::string names;
  std::string cases;
  for (const CommandDescription& command : commands.subspan(1)) {
    names += fmt::format("        {}\n", shellWord(command.name + ":" + command.help, "\\"));
    cases += fmt::format("        {})\n          _arguments -s", command.name);
    for (const OptionDescription& option : command.options) {
      cases += " \\\n            " + zshOption(option);
    }
    for (const OptionDescription& positional : command.positionals) {
      cases += fmt::format(
          " \\\n            {}",
          shellWord(fmt::format(
              "{}:{}:_files", positional.takesMany ? "*" : "", positional.names.front())));
    }
    cases += " ;;\n";
  }
  std::string own;
  for (const OptionDescription& option : commands.front().options) {
    own += "    " + zshOption(option) + " \\\n";
  }
  return fmt::format(
      R"(#compdef {0}
# Completes {0} in zsh. `{0} completion zsh` writes it.
_ulpscope_cli() {{
  local curcontext=$curcontext state line
  _arguments -C \
{1}    '1: :->command' '*:: :->argument'
  case $state in
    command)
      local -a commands
      commands=(
{2}      )
      _describe -t commands command commands ;;
    argument)
      case $words[1] in
{3}      esac ;;
  esac
}}
# As a file of $fpath, or by `source <({0} completion zsh)`.
if [[ $funcstack[1] == _{0} ]]; then _ulpscope_cli "$@"; else compdef _ulpscope_cli {0}; fi
)",
      kProgramName,
      own,
      names,
      cases);
}

std::string fishOption(const OptionDescription& option) {
  std::string words;
  for (const std::string& name : option.names) {
    words += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.empty()) {
    words += option.choices.empty() ? " -r" : fmt::format(" -x -a {}", shellList(option.choices));
  }
  return fmt::format("{} -d {}", words, shellWord(option.help, "\\"));
}

std::string fishScript(Commands commands) {
  std::string script =
      fmt::format("# Completes {0} in fish. `{0} completion fish` writes it.\n", kProgramName);
  for (const CommandDescription& command : commands) {
    if (!command.name.empty()) {
      script += fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n",
                            kProgramName,
                            command.name,
                            shellWord(command.help, "\\"));
    }
    const std::string where = command.name.empty()
                                  ? "__fish_use_subcommand"
                                  : shellWord("__fish_seen_subcommand_from " + command.name);
    for (const OptionDescription& option : command.options) {
      script += fmt::format("complete -c {} -n {}{}\n", kProgramName, where, fishOption(option));
    }
  }
  return script;
}

}  // namespace

std::string completionScript(Shell shell, Commands commands) {
  switch (shell) {
    case Shell::Bash:
      return bashScript(commands);
    case Shell::Zsh:
      return zshScript(commands);
    case Shell::Fish:
      return fishScript(commands);
  }
  return {};
}

}  // namespace ulp::cli
