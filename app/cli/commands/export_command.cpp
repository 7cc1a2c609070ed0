#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/commands/view_subjects.h"
#include "app/cli/output.h"
#include "app/cli/sources/compare_sides.h"
#include "app/cli/sources/judged_rows.h"
#include "app/cli/sources/options.h"
#include "app/cli/sources/report_source.h"
#include "app/cli/sources/rules_file.h"
#include "app/cli/stop_signals.h"
#include "core/analysis/verdict/conclusions.h"
#include "core/base/list_of.h"
#include "core/base/text/format_number.h"
#include "core/dumps/exporters/tensor_export.h"
#include "core/pictures/pictures.h"
#include "core/report/contents/export_selection.h"
#include "core/report/contents/report_tables.h"
#include "core/report/formats/format.h"
#include "core/report/model/token_texts.h"

namespace ulp::cli {
namespace {

constexpr int kMaxScale = 4;
constexpr double kMaxSide = 8192;
/// What needs no picture library as a document or a table. What else there is the views know, and
/// they are in that library.
constexpr std::array<const char*, 5> kSubjects{"report", "depth", "summary", "runs", "table"};

bool isOfViews(const std::string& what) {
  return std::ranges::find(kSubjects, what) == kSubjects.end();
}

/// `export SOURCE TARGET --to FORMAT`: a dump, run or file written as tensors for other tools.
struct ExportDumpFlags {
  std::string target;
  dumps::TensorExport wanted;
  bool isQuiet = false;
};

struct ExportFlags {
  ReportPart part;
  std::string what = "report";
  std::string format;
  double scale = 1;
  std::string size;
  std::string noise;
  std::string rules;
  std::string output;
  ExportDumpFlags dump;
};

bool isPicture(const ExportFlags& flags) {
  const bool isPage = flags.what == "report" && flags.format == "html";
  return isPage || flags.format == "png" || flags.format == "svg" || flags.format == "pdf";
}

/// The format that was named, else that of the output's extension.
Result<std::string> chooseFormat(const ExportFlags& flags) {
  if (!flags.format.empty()) {
    return flags.format;
  }
  const std::string extension = std::filesystem::path(flags.output).extension().string();
  const std::string id =
      extension == ".tex" ? "latex" : extension.substr(extension.empty() ? 0 : 1);
  if (id.empty()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: has no extension that tells the format; name one with --format",
                            flags.output));
  }
  return id;
}

Result<> checkScale(const ExportFlags& flags, pictures::PictureRequest& request) {
  if (flags.scale < 1 || flags.scale > kMaxScale) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("--scale: {} is not between 1 and {}", flags.scale, kMaxScale));
  }
  if (flags.scale != 1 && flags.format != "png") {
    return fail(ErrorCode::InvalidArgument,
                "--scale: is for png alone; other formats have no pixels");
  }
  request.scale = flags.scale;
  return {};
}

/// "900x500".
Result<> parseSize(const ExportFlags& flags, pictures::PictureRequest& request) {
  if (flags.size.empty()) {
    return {};
  }
  int width = 0;
  int height = 0;
  char rest = 0;
  const bool isRead = std::sscanf(flags.size.c_str(), "%dx%d%c", &width, &height, &rest) == 2;
  if (!isRead || width < 200 || height < 120 || width > kMaxSide || height > kMaxSide) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("--size: '{}' is not WIDTHxHEIGHT between 200x120 and {}x{}",
                            flags.size,
                            kMaxSide,
                            kMaxSide));
  }
  const bool isChart = flags.what == "depth" || isOfViews(flags.what);
  if (!isChart || !isPicture(flags)) {
    return fail(
        ErrorCode::InvalidArgument,
        "--size: is for pictures of a chart (--what depth, …); tables are as large as their "
        "text");
  }
  request.width = width;
  request.height = height;
  return {};
}

Result<std::string> drawPicture(const ExportFlags& flags,
                                const report::LoadedReport& loaded,
                                pictures::PictureRequest request,
                                const CommandContext& context) {
  if (flags.what == "report" && (flags.format == "png" || flags.format == "svg")) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("--format: a whole report is not one {} picture; choose html or pdf, "
                            "or --what depth",
                            flags.format));
  }
  auto library = ULP_TRY(context.openPictures());
  request.what = flags.what;
  request.format = flags.format;
  return library->draw(loaded, request);
}

Result<std::string> writeDocument(const ExportFlags& flags,
                                  const report::Report& report,
                                  report::ExportOptions options,
                                  const analysis::JudgedReport* judged) {
  const auto format = report::findReportFormat(flags.format);
  if (!format) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("--format: unknown format '{}' for a report; choose {}, pdf",
                            flags.format,
                            report::idsOf(report::reportFormats())));
  }
  options.configuration =
      format->isForReading() ? report::ConfigurationPart::Whole : report::ConfigurationPart::None;
  return analysis::writeConcluded(report, *format, options, judged);
}

Result<report::DataTable> tableOf(const ExportFlags& flags,
                                  const report::Report& report,
                                  const report::ExportOptions& options) {
  const auto selection = ULP_TRY(report::selectForExport(report, options));
  if (flags.what == "runs") {
    return report::runsData(report, selection);
  }
  if (flags.what == "table") {
    return report::tensorsData(report, selection);
  }
  const std::vector<report::SelectedMetric> metrics = report::summaryMetrics(selection);
  if (metrics.empty()) {
    return fail(ErrorCode::NotFound, "the report holds no metric");
  }
  return flags.what == "summary" ? report::summaryData(report, selection, metrics.front())
                                 : report::depthData(report, selection, metrics.front());
}

/// What is exported of the report, with what charts are to show besides.
Result<report::ExportOptions> optionsOf(const ExportFlags& flags) {
  const bool hasCharts = isPicture(flags) && (flags.what == "depth" || flags.what == "report");
  if (!flags.noise.empty() && !hasCharts) {
    return fail(ErrorCode::InvalidArgument,
                "--noise: is for depth charts (--what depth, or a report as html or pdf)");
  }
  auto options = ULP_TRY(exportOptions(flags.part));
  options.noise = flags.noise;
  return options;
}

Result<std::string> makeContent(const ExportFlags& flags,
                                const report::LoadedReport& loaded,
                                const report::ExportOptions& options,
                                const analysis::JudgedReport* judged,
                                const CommandContext& context) {
  pictures::PictureRequest request{.what = {}, .format = {}, .options = options};
  ULP_TRY(checkScale(flags, request));
  ULP_TRY(parseSize(flags, request));
  if (isPicture(flags) || isOfViews(flags.what)) {
    if (judged != nullptr) {
      request.judgement = analysis::judgementOf(*judged);
    }
    return drawPicture(flags, loaded, std::move(request), context);
  }
  if (flags.what == "report") {
    return writeDocument(flags, *loaded.report, options, judged);
  }
  const auto table = ULP_TRY(tableOf(flags, *loaded.report, options));
  return report::writeTable(table, flags.format);
}

Result<ExitCode> exportPart(ExportFlags flags, const CommandContext& context) {
  flags.format = ULP_TRY(chooseFormat(flags));
  if (!flags.rules.empty() && flags.what != "report") {
    return fail(ErrorCode::InvalidArgument,
                "--rules: is for whole reports (--what report, the default)");
  }
  ULP_TRY(checkFolder(flags.output));
  const auto loaded = ULP_TRY(loadReportOrDump(flags.part.run, flags.dump.wanted.units, context));
  auto options = ULP_TRY(optionsOf(flags));
  options.tokens = report::tokensByPosition(loaded.folder);
  const auto judged = ULP_TRY(judgeRows(flags.rules, loaded, options));
  const auto content =
      ULP_TRY(makeContent(flags, loaded, options, judged ? &*judged : nullptr, context));
  ULP_TRY(showOutput(flags.output, content, context));
  return exitCodeOf(judged, context);
}

/// Lists the ids of the formats that `--to` takes.
std::vector<std::string> tensorFormats() {
  return listOf(dumps::builtinDumpExporters().all(), &dumps::DumpExporter::id);
}

Result<dumps::DumpExportOutcome> writeTensors(const std::string& source,
                                              const std::vector<Pass>& passes,
                                              const ExportDumpFlags& flags,
                                              const CommandContext& context,
                                              const std::stop_token& stop) {
  dumps::TensorExport wanted = flags.wanted;
  if (flags.target.empty()) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("--to {}: name the folder or file to write behind {}", wanted.format, source));
  }
  report::DumpSide side = sideOf(source, wanted.units);
  wanted.source = std::move(side.path);
  wanted.units = std::move(side.units);
  wanted.target = flags.target;
  wanted.options.passes = passes;
  ProgressLine line(context, "writing", flags.isQuiet);
  return dumps::exportTensors(wanted, stop, std::ref(line));
}

void addExportDumpOptions(CLI::App& command, ExportDumpFlags& flags) {
  command.add_option("TARGET", flags.target, "--to: folder or file to write");
  command.add_option("--run", flags.wanted.units.run, "Dumps: this run of a study alone");
  addUnitOptions(command, flags.wanted.units, "Dumps: ");
  command.add_option("--match",
                     flags.wanted.options.match,
                     "--to: only tensors in whose name this regular expression is found");
  command.add_flag("--statistics-only",
                   flags.wanted.options.isStatisticsOnly,
                   "--to msprobe: maximum, minimum, mean and norm in place of the elements");
  command
      .add_option("--shard-size",
                  flags.wanted.options.shardBytes,
                  "--to safetensors: bytes of a file, as in 2GB; default: 5GB")
      ->transform(CLI::AsSizeValue(true));
  command.add_flag("--overwrite",
                   flags.wanted.options.mayReplace,
                   "--to: replace an earlier export of the same name");
  command.add_flag("--quiet", flags.isQuiet, "--to: no progress");
}

Result<> exportDumpTo(const ReportPart& part,
                      const ExportDumpFlags& flags,
                      const CommandContext& context) {
  const auto signals = ULP_TRY(StopSignals::install());
  const report::ExportOptions options = ULP_TRY(exportOptions(part));
  const auto outcome =
      ULP_TRY(writeTensors(part.run, options.passes, flags, context, signals->token()));
  for (const std::string& note : outcome.notes) {
    fmt::print(context.err, "note: {}\n", note);
  }
  fmt::print(context.err,
             "wrote {} ({} tensors, {})\n",
             flags.target,
             outcome.rows,
             formatBytes(outcome.bytes));
  return {};
}

/// Options that only one of the two kinds of export has.
Result<> checkOptions(const CLI::App& command, const ExportFlags& flags) {
  constexpr std::string_view kOfReports =
      "--metric --variant --what --format --scale --size --noise --rules --output";
  constexpr std::string_view kOfTensors =
      "TARGET --match --statistics-only --shard-size --overwrite --quiet";
  const bool isOfTensors = !flags.dump.wanted.format.empty();
  if (!isOfTensors && flags.output.empty()) {
    return fail(ErrorCode::InvalidArgument,
                "-o FILE is missing (a report, chart or table), or --to FORMAT (tensors)");
  }
  return isOfTensors
             ? refuseOptions(command, kOfReports, "is for reports and has no meaning with --to")
             : refuseOptions(command, kOfTensors, "is for tensors; name their format with --to");
}

Result<ExitCode> exportAny(const CLI::App& command,
                           ExportFlags flags,
                           const CommandContext& context) {
  ULP_TRY(checkOptions(command, flags));
  if (flags.dump.wanted.format.empty()) {
    return exportPart(std::move(flags), context);
  }
  ULP_TRY(exportDumpTo(flags.part, flags.dump, context));
  return ExitCode::Done;
}

void addReportOptions(CLI::App& command, ExportFlags& flags) {
  command.add_option(
      "--what",
      flags.what,
      fmt::format(
          "{}, {}; default: report", fmt::join(kSubjects, ", "), fmt::join(viewSubjects(), ", ")));
  command.add_option(
      "--format",
      flags.format,
      fmt::format("report: pdf, {}; others: png, svg, pdf, {}; default: the extension of -o",
                  report::idsOf(report::reportFormats()),
                  report::idsOf(report::tableFormats())));
  command.add_option("--scale", flags.scale, "Pixels of a png for each of the picture, 1 to 4");
  command.add_option("--size", flags.size, "Of a chart, WIDTHxHEIGHT; default: 760x420");
  command.add_option("--noise", flags.noise, "Variant whose errors depth charts shade as noise");
  command.add_option("--rules", flags.rules, rulesHelp());
  command.add_option("-o,--output", flags.output, "File to write, of a report");
}

void addExportCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand(
      "export", "Write a report, a chart or a table to a file, or tensors for other tools");
  const auto flags = std::make_shared<ExportFlags>();
  addReportPart(*command, flags->part);
  addMetrics(*command, flags->part);
  addReportOptions(*command, *flags);
  command->add_option("--to",
                      flags->dump.wanted.format,
                      fmt::format("Tensors of a run, dump or file, in one of the formats {}",
                                  fmt::join(tensorFormats(), ", ")));
  addExportDumpOptions(*command, flags->dump);
  command->footer(
      "Examples:\n"
      "  ulpscope-cli export runs/smollm2 -o report.html\n"
      "  ulpscope-cli export runs/smollm2 --what depth --metric rms_rel --pass forward -o fig.svg\n"
      "  ulpscope-cli export runs/smollm2 dump --to msprobe --run bf16\n"
      "  ulpscope-cli export dump/step0 layer3.safetensors --to safetensors --match layers.3\n"
      "Pictures (png, svg, pdf, and html of a report) need a build with the window; they are "
      "drawn\n"
      "without a display. Numbers in csv, tsv and json keep every digit, those in xlsx 16.");
  command->callback([flags, command, &context] {
    context.exitCode = context.exitCodeOf(exportAny(*command, *flags, context));
  });
}

}  // namespace

void registerExport(CommandRegistry& registry) {
  registry.add({.order = 60, .add = addExportCommand});
}

}  // namespace ulp::cli
