#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/output_file.h"
#include "app/cli/sources/log_probability_pairs.h"
#include "app/cli/sources/options.h"
#include "core/report/formats/format.h"
#include "core/report/tables/aligned_text.h"
#include "core/report/tables/format_table.h"

namespace ulp::cli {
namespace {

struct LogprobsFlags {
  std::string first;
  std::string second;
  PairChoice choice;
  double epsilon = 0.01;
  std::string format = "text";
  std::string output;
};

Result<std::string> written(const report::DataTable& table, const std::string& format) {
  if (format != "text") {
    return report::writeTable(table, format);
  }
  std::string text;
  report::appendAlignedTable(text, report::formatTable(table));
  return text;
}

Result<> showGaps(const LogprobsFlags& flags, const CommandContext& context) {
  const auto pairs = ULP_TRY(choosePairs(flags.first, flags.second, flags.choice));
  const auto table = ULP_TRY(gapTable(pairs, flags.epsilon));
  const auto text = ULP_TRY(written(table, flags.format));
  return showOutput(flags.output, text, context);
}

void addLogprobsCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "logprobs", "Compare the log-probabilities of the chosen tokens between runs or engines");
  const auto flags = std::make_shared<LogprobsFlags>();
  command
      ->add_option("A",
                   flags->first,
                   "Folder of a study, or a file of log-probabilities (.safetensors, .npy, .pt)")
      ->required();
  command->add_option("B", flags->second, "Another one of the same tokens; default: A itself");
  command->add_option("--baseline",
                      flags->choice.baseline,
                      "Run of A that others are compared with; "
                      "default: its reference");
  command->add_option("--variant", flags->choice.variants, "Runs to compare; default: all")
      ->delimiter(',');
  command->add_option("--epsilon", flags->epsilon, "Differences above it are counted, in nats")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--format", flags->format, "Format of the table")
      ->check(CLI::IsMember(formatsWithTables({"text"})))
      ->capture_default_str();
  command->add_option("-o,--output", flags->output, "File to write; default: standard output");
  command->callback(
      [flags, &context] { context.exitCode = context.exitCodeOf(showGaps(*flags, context)); });
}

}  // namespace

void registerLogprobs(CommandRegistry& registry) {
  registry.add({.order = 50, .add = addLogprobsCommand});
}

}  // namespace ulp::cli
