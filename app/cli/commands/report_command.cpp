#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/output_file.h"
#include "app/cli/sources/export_options.h"
#include "app/cli/sources/report_findings.h"
#include "core/report/exporters/exporter.h"

namespace ulp::cli {
namespace {

struct ReportFlags {
  ReportPart part;
  std::string format;
  bool isSummaryOnly = false;
  std::string output;
};

/// The format that was named, else that of the output's extension, else text.
Result<report::Exporter> chooseExporter(const ReportFlags& flags) {
  const report::ExporterRegistry exporters = report::builtinExporters();
  const std::string extension = std::filesystem::path(flags.output).extension().string();
  const auto byExtension = std::find_if(
      exporters.all().begin(), exporters.all().end(), [&](const report::Exporter& exporter) {
        return exporter.extension == extension;
      });
  if (flags.format.empty() && byExtension != exporters.all().end()) {
    return *byExtension;
  }
  const std::string id = flags.format.empty() ? "text" : flags.format;
  const report::Exporter* named = exporters.find(id);
  if (named == nullptr) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("--format: unknown format '{}'; choose {}", id, exporterNames(exporters)));
  }
  return *named;
}

Result<> writeReport(const ReportFlags& flags, const CommandContext& context) {
  const auto exporter = ULP_TRY(chooseExporter(flags));
  auto options = ULP_TRY(exportOptions(flags.part));
  options.isSummaryOnly = flags.isSummaryOnly;
  if (exporter.binary && flags.output.empty() && context.outIsTerminal) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} is not text for a terminal; name a file with -o FILE{}",
                            exporter.id,
                            exporter.extension));
  }
  const auto loaded = ULP_TRY(report::loadReport(flags.part.run));
  const auto shown = ULP_TRY(exporter.forReading ? withFindings(loaded.report)
                                                 : Result<report::ReportPtr>(loaded.report));
  auto content = exporter.write(*shown, options);
  if (!content) {
    return failWhile(loaded.file.string(), std::move(content));
  }
  if (!flags.output.empty()) {
    return writeOutput(flags.output, *content, context);
  }
  context.out << *content;
  return {};
}

}  // namespace

void addReportCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("report", "Print or export the report of a study");
  const auto flags = std::make_shared<ReportFlags>();
  addReportPart(*command, flags->part);
  command->add_option("--format",
                      flags->format,
                      fmt::format("{}; default: that of the extension of -o, else text",
                                  exporterNames(report::builtinExporters())));
  command->add_flag("--summary", flags->isSummaryOnly, "Without the tables of all tensors");
  command->add_option("-o,--output", flags->output, "File to write; default: standard output");
  command->footer(
      "Example: ulpscope-cli report runs/smollm2 --pass forward --metric rms_rel,max_diff -o "
      "t.xlsx");
  command->callback([flags, &context] {
    const auto written = writeReport(*flags, context);
    context.exitCode = written ? ExitCode::Done : context.reportError(written.error());
  });
}

}  // namespace ulp::cli
