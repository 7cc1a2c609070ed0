#include "app/cli/describe/manual_page.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <utility>

#include "app/cli/command.h"
#include "core/base/list_of.h"

namespace ulp::cli {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 5> kExitCodes{{
    {"0", "done"},
    {"1", "a comparison rule failed"},
    {"2", "wrong use, or a file that is missing, wrong or of a newer version"},
    {"3", "a run failed, or the machine refused: disk full, memory, device"},
    {"130", "cancelled"},
}};

constexpr std::array<std::pair<const char*, const char*>, 8> kVariables{{
    {"ULP_TORCH_DIR", "folder of the torch package whose LibTorch the engine uses"},
    {"ULPSCOPE_PYTHON",
     "the Python that runs models which the native engine does not know, where no environment is "
     "active"},
    {"ULP_ENGINE_LIBRARY, ULP_PICTURES_LIBRARY", "other libraries of the engine and of pictures"},
    {"HF_HOME, HF_HUB_CACHE", "where models of the hub lie"},
    {"CUDA_VISIBLE_DEVICES, CUDA_DEVICE_ORDER", "which GPUs are seen, and in which order"},
    {"GOMP_SPINCOUNT, OMP_WAIT_POLICY", "how threads of the engine wait"},
    {"XDG_DATA_HOME", "ulpscope/python below it holds a torch for Ulpscope alone"},
    {"NO_COLOR", "no colours on the terminal"},
}};

/// One line of text: no character of it is an instruction.
std::string roff(std::string_view text) {
  std::string line;
  if (text.starts_with('.') || text.starts_with('\'')) {
    line += "\\&";
  }
  for (const char c : text) {
    switch (c) {
      case '\\':
        line += "\\e";
        break;
      case '-':
        line += "\\-";
        break;
      case '\n':
        line += ' ';
        break;
      default:
        line += c;
    }
  }
  return line;
}

/// A block whose lines stay as they are.
std::string verbatim(std::string_view text) {
  std::string block = ".PP\n.nf\n";
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    block += roff(line) + "\n";
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return block + ".fi\n";
}

std::string paragraph(std::string_view tag, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", roff(tag), roff(text));
}

std::string optionParagraph(const OptionDescription& option) {
  const std::string names = fmt::format("{}", fmt::join(option.names, ", "));
  const std::string value =
      option.choices.empty() ? option.value : fmt::format("{}", fmt::join(option.choices, "|"));
  return fmt::format(".TP\n\\fB{}\\fR{}{}\n{}\n",
                     roff(names),
                     value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(value)),
                     option.takesMany ? " ..." : "",
                     roff(option.help.empty() ? "-" : option.help));
}

std::string positionalParagraph(const OptionDescription& positional) {
  return fmt::format(".TP\n\\fI{}\\fR{}\n{}\n",
                     roff(positional.names.front()),
                     positional.takesMany ? " ..." : "",
                     roff(positional.help));
}

std::string synopsis(const CommandDescription& command) {
  std::string text =
      fmt::format("\\fB{} {}\\fR [\\fIoptions\\fR]", roff(kProgramName), roff(command.name));
  for (const OptionDescription& positional : command.positionals) {
    const std::string name = fmt::format(
        "\\fI{}\\fR{}", roff(positional.names.front()), positional.takesMany ? "..." : "");
    text += positional.isRequired ? " " + name : fmt::format(" [{}]", name);
  }
  return text;
}

std::string section(const CommandDescription& command) {
  std::string text = fmt::format(
      ".SS {}\n{}\n.PP\n{}.\n", roff(command.name), synopsis(command), roff(command.help));
  for (const OptionDescription& positional : command.positionals) {
    text += positionalParagraph(positional);
  }
  for (const OptionDescription& option : command.options) {
    if (option.names.back() != "--help") {
      text += optionParagraph(option);
    }
  }
  if (!command.footer.empty()) {
    text += verbatim(command.footer);
  }
  return text;
}

}  // namespace

std::string manualPage(std::span<const CommandDescription> commands) {
  std::string page = fmt::format(
      ".TH ULPSCOPE\\-CLI 1 \"\" \"Ulpscope {}\" \"User Commands\"\n.SH NAME\n{} \\- find where a "
      "language model loses precision\n.SH SYNOPSIS\n\\fB{}\\fR \\fIcommand\\fR "
      "[\\fIoptions\\fR]\n.SH DESCRIPTION\n{}\n.SH COMMANDS\n",
      ULP_VERSION,
      roff(kProgramName),
      roff(kProgramName),
      roff(commands.front().help));
  for (const CommandDescription& command : commands.subspan(1)) {
    page += section(command);
  }
  page += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : kExitCodes) {
    page += paragraph(code, meaning);
  }
  page += ".SH ENVIRONMENT\n";
  for (const auto& [name, meaning] : kVariables) {
    page += paragraph(name, meaning);
  }
  return page + ".SH SEE ALSO\n.BR ulpscope (1)\n";
}

}  // namespace ulp::cli
