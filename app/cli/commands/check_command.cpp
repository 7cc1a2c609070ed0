#include <CLI/CLI.hpp>
#include <fmt/ostream.h>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/sources/chosen_format.h"
#include "app/cli/sources/judged_rows.h"
#include "app/cli/sources/options.h"
#include "app/cli/sources/report_source.h"
#include "app/cli/sources/rules_file.h"
#include "core/analysis/checks/check_format.h"

namespace ulp::cli {
namespace {

struct CheckFlags {
  ReportPart part;
  std::string rules;
  std::string baseline;
  std::string format;
  std::string output;
};

Result<analysis::JudgedReport> judged(const CheckFlags& flags,
                                      const std::string& source,
                                      const CommandContext& context) {
  const auto options = ULP_TRY(exportOptions(flags.part));
  const auto loaded = ULP_TRY(loadReportOrDump(source, {}, context));
  auto rows = ULP_TRY(judgeRows(flags.rules, loaded, options));
  return *std::move(rows);
}

Result<ExitCode> checkReport(const CheckFlags& flags, const CommandContext& context) {
  const auto format = ULP_TRY(chosenFormat(analysis::checkFormats(), flags.format, flags.output));
  const auto now = ULP_TRY(judged(flags, flags.part.run, context));
  std::optional<analysis::JudgedReport> before;
  if (!flags.baseline.empty()) {
    before = ULP_TRY(judged(flags, flags.baseline, context));
  }
  auto check = ULP_TRY(analysis::checkOf(now, before ? &*before : nullptr));
  check.subject = flags.part.run;
  check.rules = flags.rules;
  check.baseline = flags.baseline;
  for (const std::string& doubt : check.doubts) {
    fmt::print(context.err, "warning: {}\n", doubt);
  }
  ULP_TRY(showOutput(flags.output, format.write(check), context));
  if (!flags.output.empty()) {
    context.out << analysis::summaryText(check) << '\n';
  }
  if (check.hasFailed()) {
    return ExitCode::RuleFailed;
  }
  const ExitCode ofRows = exitCodeOf(now, context);
  if (ofRows == ExitCode::RuleFailed || ofRows == ExitCode::Done) {
    return check.isIncomplete ? ExitCode::BadInput : ExitCode::Done;
  }
  return ofRows;
}

void addCheckCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "check", "Ask rules of a report, for a pipeline: what fails that did not before");
  const auto flags = std::make_shared<CheckFlags>();
  addReportPart(*command, flags->part);
  command->add_option("--rules", flags->rules, rulesHelp())->required();
  command->add_option("--baseline",
                      flags->baseline,
                      "An older report: rows that fail there, too, are known and fail nothing");
  command->add_option("--format",
                      flags->format,
                      "text, junit, sarif, markdown; default: that of the extension of -o, else "
                      "text");
  command->add_option("-o,--output", flags->output, "File to write; default: standard output");
  command->footer(
      "Example: ulpscope-cli check runs/new --rules rules.yaml --baseline runs/main -o check.xml");
  command->callback(
      [flags, &context] { context.exitCode = context.exitCodeOf(checkReport(*flags, context)); });
}

}  // namespace

void registerCheck(CommandRegistry& registry) {
  registry.add({.order = 25, .add = addCheckCommand});
}

}  // namespace ulp::cli
