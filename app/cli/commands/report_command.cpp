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
#include "app/cli/print/judgement_print.h"
#include "app/cli/sources/options.h"
#include "app/cli/sources/report_pairs.h"
#include "app/cli/sources/rules_file.h"
#include "core/analysis/verdict/conclusions.h"
#include "core/report/formats/format.h"

namespace ulp::cli {
namespace {

struct ReportFlags {
  ReportPart part;
  std::string format;
  bool isSummaryOnly = false;
  std::string output;
  std::string rules;
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

/// The report with the rows alone that the options choose.
Result<report::ReportPtr> chosenRows(const report::ReportPtr& report,
                                     const report::ExportOptions& options) {
  const auto selection = ULP_TRY(report::selectForExport(*report, options));
  auto chosen = std::make_shared<report::Report>(*report);
  for (report::Run& run : chosen->runs) {
    std::erase_if(run.comparisons, [&](const report::Comparison& row) {
      return !selection.hasVariant(run.name) || !selection.hasPass(row.site.pass);
    });
  }
  return chosen;
}

/// What the rules say of the chosen rows.
struct Judged {
  analysis::VerdictRules rules;
  report::ReportPtr report;
  analysis::ReportJudgement judgement;
};

Result<std::optional<Judged>> judge(const report::LoadedReport& loaded,
                                    const report::ExportOptions& options,
                                    const std::string& name) {
  auto asked = ULP_TRY(readRules(name));
  if (!asked) {
    return std::nullopt;
  }
  Judged judged{.rules = asked->withFiniteImplied(), .report = {}, .judgement = {}};
  judged.report = ULP_TRY(chosenRows(loaded.report, options));
  judged.judgement = ULP_TRY(whileDoing(name, analysis::judgeReport(*judged.report, judged.rules)));
  ULP_TRY(whileDoing(name,
                     analysis::decideByElements(
                         *judged.report, judged.rules, judged.judgement, pairReaderOf(loaded))));
  return judged;
}

ExitCode exitCodeOf(const std::optional<Judged>& judged) {
  if (!judged) {
    return ExitCode::Done;
  }
  return judged->judgement.hasFailed()                  ? ExitCode::RuleFailed
         : judged->judgement.isUndecided(judged->rules) ? ExitCode::BadInput
                                                        : ExitCode::Done;
}

/// As a document that people read: with findings and verdict, and what the rules say at the end of
/// a text, where a terminal shows it.
Result<std::string> writeForReading(const report::LoadedReport& loaded,
                                    const report::Format& format,
                                    const report::ExportOptions& options,
                                    const std::vector<report::TextTable>& rules) {
  const bool isAtEnd = format.order == report::PartOrder::SummaryLast;
  auto extras =
      ULP_TRY(whileDoing(loaded.file.string(), analysis::conclusionsOf(*loaded.report, options)));
  if (!isAtEnd) {
    extras.tables = rules;
  }
  auto text = ULP_TRY(whileDoing(loaded.file.string(),
                                 format.writeReport(*loaded.report, options, std::move(extras))));
  for (const report::TextTable& table : rules) {
    if (isAtEnd) {
      text += '\n';
      report::appendAlignedTable(text, table);
    }
  }
  return text;
}

Result<std::string> written(const report::LoadedReport& loaded,
                            const report::Format& format,
                            const report::ExportOptions& options,
                            const std::optional<JudgedReport>& judged) {
  constexpr std::size_t kBrokenShown = 12;
  if (format.isForReading()) {
    return writeForReading(
        loaded,
        format,
        options,
        judged ? judgementTables(*judged, kBrokenShown) : std::vector<report::TextTable>());
  }
  return judged ? format.writeTable(judgementData(*judged))
                : whileDoing(loaded.file.string(), format.writeReport(*loaded.report, options));
}

Result<ExitCode> writeReport(const ReportFlags& flags, const CommandContext& context) {
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
  const auto judged = ULP_TRY(judge(loaded, options, flags.rules));
  const auto shown = judged ? std::optional<JudgedReport>(JudgedReport{
                                  *judged->report, judged->rules, judged->judgement, flags.rules})
                            : std::nullopt;
  const auto content = ULP_TRY(written(loaded, format, options, shown));
  ULP_TRY(showOutput(flags.output, content, context));
  const ExitCode judgedAs = exitCodeOf(judged);
  const ExitCode ofReading = judged && judged->judgement.unread
                                 ? context.reportErrors({*judged->judgement.unread})
                                 : ExitCode::Done;
  return judgedAs == ExitCode::Done ? ofReading : judgedAs;
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
