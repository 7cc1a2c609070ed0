#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <ostream>
#include <string>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/sources/chosen_format.h"
#include "app/cli/sources/judged_rows.h"
#include "app/cli/sources/options.h"
#include "app/cli/sources/report_source.h"
#include "app/cli/sources/rules_file.h"
#include "core/analysis/verdict/conclusions.h"
#include "core/report/formats/format.h"
#include "core/report/model/token_texts.h"

namespace ulp::cli {
namespace {

struct ReportFlags {
  ReportPart part;
  std::string format;
  bool isSummaryOnly = false;
  std::string output;
  std::string rules;
};

Result<ExitCode> writeReport(const ReportFlags& flags, const CommandContext& context) {
  const auto format = ULP_TRY(chosenFormat(report::reportFormats(), flags.format, flags.output));
  auto options = ULP_TRY(exportOptions(flags.part));
  options.isSummaryOnly = flags.isSummaryOnly;
  if (format.binary && isStandardOutput(flags.output) && context.outIsTerminal) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} is not text for a terminal; name a file with -o FILE{}",
                            format.id,
                            format.extension));
  }
  const auto loaded = ULP_TRY(loadReportOrDump(flags.part.run, {}, context));
  options.tokens = report::tokensByPosition(loaded.folder);
  const auto judged = ULP_TRY(judgeRows(flags.rules, loaded, options));
  const auto content = ULP_TRY(whileDoing(
      loaded.file.string(),
      analysis::writeConcluded(*loaded.report, format, options, judged ? &*judged : nullptr)));
  ULP_TRY(showOutput(flags.output, content, context));
  return exitCodeOf(judged, context);
}

void addReportCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("report", "Print or export the report of a study");
  const auto flags = std::make_shared<ReportFlags>();
  addReportPart(*command, flags->part);
  addMetrics(*command, flags->part);
  command->add_option("--format",
                      flags->format,
                      fmt::format("{}; default: that of the extension of -o, else text",
                                  report::idsOf(report::reportFormats())));
  command->add_flag("--summary", flags->isSummaryOnly, "Without the tables of all tensors");
  command->add_option("-o,--output", flags->output, "File to write; default: standard output");
  command->add_option("--rules", flags->rules, rulesHelp());
  command->footer(
      "Example: ulpscope-cli report runs/smollm2 --pass forward --metric rms_rel,max_diff -o "
      "t.xlsx");
  command->callback(
      [flags, &context] { context.exitCode = context.exitCodeOf(writeReport(*flags, context)); });
}

}  // namespace

void registerReport(CommandRegistry& registry) {
  registry.add({.order = 20, .add = addReportCommand});
}

}  // namespace ulp::cli
