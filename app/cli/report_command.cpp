#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/report_findings.h"
#include "core/base/atomic_file.h"
#include "core/base/format_number.h"
#include "core/report/exporters/exporter.h"

namespace ulp::cli {
namespace {

struct ReportFlags {
  std::string run;
  std::string format;
  std::vector<std::string> passes;
  std::vector<std::string> metrics;
  std::vector<std::string> variants;
  bool isSummaryOnly = false;
  std::string output;
};

std::string formatNames(const report::ExporterRegistry& exporters) {
  std::vector<std::string> names;
  for (const report::Exporter& exporter : exporters.all()) {
    names.push_back(exporter.id);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

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
        fmt::format("--format: unknown format '{}'; choose {}", id, formatNames(exporters)));
  }
  return *named;
}

Result<report::ExportOptions> exportOptions(const ReportFlags& flags) {
  report::ExportOptions options{
      .metrics = flags.metrics, .runs = flags.variants, .isSummaryOnly = flags.isSummaryOnly};
  for (const std::string& name : flags.passes) {
    const auto pass = parsePass(name);
    if (!pass) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("--pass: unknown pass '{}'; choose forward, backward, "
                              "parameter_gradient",
                              name));
    }
    options.passes.push_back(*pass);
  }
  return options;
}

Result<> writeFile(const std::filesystem::path& path,
                   const std::string& content,
                   const CommandContext& context) {
  std::error_code ignored;
  const std::filesystem::path folder = path.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: the folder {} does not exist", path.string(), folder.string()));
  }
  if (auto written = writeFileAtomically(path, content); !written) {
    return written;
  }
  fmt::print(context.err, "wrote {} ({})\n", path.string(), formatBytes(content.size()));
  return {};
}

Result<> writeReport(const ReportFlags& flags, const CommandContext& context) {
  const auto exporter = chooseExporter(flags);
  if (!exporter) {
    return tl::unexpected<Error>(exporter.error());
  }
  const auto options = exportOptions(flags);
  if (!options) {
    return tl::unexpected<Error>(options.error());
  }
  if (exporter->binary && flags.output.empty() && context.outIsTerminal) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} is not text for a terminal; name a file with -o FILE{}",
                            exporter->id,
                            exporter->extension));
  }
  const auto loaded = report::loadReport(flags.run);
  if (!loaded) {
    return tl::unexpected<Error>(loaded.error());
  }
  const auto shown = exporter->forReading ? withFindings(loaded->report)
                                          : Result<report::ReportPtr>(loaded->report);
  if (!shown) {
    return tl::unexpected<Error>(shown.error());
  }
  auto content = exporter->write(**shown, *options);
  if (!content) {
    return failWhile(loaded->file.string(), std::move(content));
  }
  if (!flags.output.empty()) {
    return writeFile(flags.output, *content, context);
  }
  context.out << *content;
  return {};
}

}  // namespace

void addReportCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("report", "Print or export the report of a study");
  const auto flags = std::make_shared<ReportFlags>();
  command->add_option("RUN", flags->run, "Folder of a study, or its precision_report.json")
      ->required();
  command->add_option("--format",
                      flags->format,
                      fmt::format("{}; default: that of the extension of -o, else text",
                                  formatNames(report::builtinExporters())));
  command
      ->add_option("--pass", flags->passes, "forward, backward, parameter_gradient; default: all")
      ->delimiter(',');
  command
      ->add_option("--metric",
                   flags->metrics,
                   "Ids such as rms_rel,ulp.max; default: all, or in tables for reading the main "
                   "ones")
      ->delimiter(',');
  command->add_option("--variant", flags->variants, "Names of runs; default: all")->delimiter(',');
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
