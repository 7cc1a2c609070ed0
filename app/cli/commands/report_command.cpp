#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/sources/options.h"
#include "core/analysis/findings/all_findings.h"
#include "core/analysis/verdict/run_verdict.h"
#include "core/report/formats/format.h"
#include "core/report/model/finding.h"

namespace ulp::cli {
namespace {

struct ReportFlags {
  ReportPart part;
  std::string format;
  bool isSummaryOnly = false;
  std::string output;
};

/// The format that was named, else that of the output's extension, else text.
Result<report::Format> chooseFormat(const ReportFlags& flags) {
  const std::vector<report::Format> formats = report::reportFormats();
  const std::string extension = std::filesystem::path(flags.output).extension().string();
  const auto byExtension = std::ranges::find(formats, extension, &report::Format::extension);
  if (flags.format.empty() && byExtension != formats.end()) {
    return *byExtension;
  }
  const std::string id = flags.format.empty() ? "text" : flags.format;
  const auto named = std::ranges::find(formats, id, &report::Format::id);
  if (named == formats.end()) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("--format: unknown format '{}'; choose {}", id, report::idsOf(formats)));
  }
  return *named;
}

/// The report itself when it holds what this build's rules found; else one with that, `all`, behind
/// the findings that it holds by other rules, such as the culprits of a comparison of dumps.
/// Errors: CorruptData.
Result<report::ReportPtr> withFindings(const report::ReportPtr& report,
                                       const std::vector<report::Finding>& all) {
  const auto held = ULP_TRY(report::readFindings(*report));
  const analysis::FindingRuleRegistry rules = analysis::builtinFindingRules();
  const bool areConcluded = std::ranges::any_of(
      held, [&](const report::Finding& finding) { return rules.find(finding.rule) != nullptr; });
  if (areConcluded || all.size() == held.size()) {
    return report;
  }
  auto copy = std::make_shared<report::Report>(*report);
  report::setFindings(*copy, all);
  return copy;
}

/// As a document that people read: with findings and verdict.
Result<std::string> writeForReading(const report::LoadedReport& loaded,
                                    const report::Format& format,
                                    const report::ExportOptions& options) {
  const auto findings = ULP_TRY(analysis::allFindings(*loaded.report));
  const auto shown = ULP_TRY(withFindings(loaded.report, findings));
  return whileDoing(
      loaded.file.string(),
      format.writeReport(
          *shown, options, {.verdict = analysis::verdictTable(*shown, findings, options)}));
}

Result<> writeReport(const ReportFlags& flags, const CommandContext& context) {
  const auto format = ULP_TRY(chooseFormat(flags));
  auto options = ULP_TRY(exportOptions(flags.part));
  options.isSummaryOnly = flags.isSummaryOnly;
  if (format.binary && flags.output.empty() && context.outIsTerminal) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} is not text for a terminal; name a file with -o FILE{}",
                            format.id,
                            format.extension));
  }
  const auto loaded = ULP_TRY(report::loadReport(flags.part.run));
  const auto content =
      ULP_TRY(format.isForReading()
                  ? writeForReading(loaded, format, options)
                  : whileDoing(loaded.file.string(), format.writeReport(*loaded.report, options)));
  return showOutput(flags.output, content, context);
}

void addReportCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("report", "Print or export the report of a study");
  const auto flags = std::make_shared<ReportFlags>();
  addReportPart(*command, flags->part);
  command->add_option("--format",
                      flags->format,
                      fmt::format("{}; default: that of the extension of -o, else text",
                                  report::idsOf(report::reportFormats())));
  command->add_flag("--summary", flags->isSummaryOnly, "Without the tables of all tensors");
  command->add_option("-o,--output", flags->output, "File to write; default: standard output");
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
