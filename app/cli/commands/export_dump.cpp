#include "app/cli/commands/export_dump.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/progress_line.h"
#include "app/cli/sources/compare_sides.h"
#include "app/cli/sources/options.h"
#include "app/cli/stop_signals.h"
#include "core/base/text/format_number.h"

namespace ulp::cli {
namespace {

Result<dumps::DumpExporter> chooseExporter(const std::string& format) {
  const dumps::DumpExporterRegistry exporters = dumps::builtinDumpExporters();
  const dumps::DumpExporter* found = exporters.find(format);
  if (found != nullptr) {
    return *found;
  }
  return fail(
      ErrorCode::InvalidArgument,
      fmt::format(
          "--to: unknown format '{}'; choose {}", format, fmt::join(tensorFormats(), ", ")));
}

Result<dumps::DumpExportOutcome> write(const ExportDumpFlags& flags,
                                       const CommandContext& context,
                                       const std::stop_token& stop) {
  const auto exporter = ULP_TRY(chooseExporter(flags.format));
  if (flags.target.empty()) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format(
            "--to {}: name the folder or file to write behind {}", flags.format, flags.source));
  }
  const auto dump = ULP_TRY(openDumpOf(sideOf(flags.source, flags.units), stop));
  for (const std::string& note : dump->notes) {
    fmt::print(context.err, "note: {}\n", note);
  }
  ProgressLine line(context, "writing", flags.isQuiet);
  return dumps::exportDump(
      *dump, flags.target, exporter, flags.options, stop, [&](auto done, auto total) {
        line.show(done, total);
      });
}

}  // namespace

std::vector<std::string> tensorFormats() {
  const dumps::DumpExporterRegistry exporters = dumps::builtinDumpExporters();
  std::vector<std::string> ids;
  for (const dumps::DumpExporter& exporter : exporters.all()) {
    ids.push_back(exporter.id);
  }
  return ids;
}

void addExportDumpOptions(CLI::App& command, ExportDumpFlags& flags) {
  command.add_option("TARGET", flags.target, "--to: folder or file to write");
  command.add_option("--run", flags.units.run, "--to: this run of a study alone");
  addUnitOptions(command, flags.units, "--to: ");
  command.add_option("--match",
                     flags.options.match,
                     "--to: only tensors in whose name this regular expression is found");
  command.add_flag("--statistics-only",
                   flags.options.isStatisticsOnly,
                   "--to msprobe: maximum, minimum, mean and norm in place of the elements");
  command
      .add_option("--shard-size",
                  flags.options.shardBytes,
                  "--to safetensors: bytes of a file, as in 2GB; default: 5GB")
      ->transform(CLI::AsSizeValue(true));
  command.add_flag(
      "--overwrite", flags.options.mayReplace, "--to: replace an earlier export of the same name");
  command.add_flag("--quiet", flags.isQuiet, "--to: no progress");
}

Result<> exportDumpTo(const ExportDumpFlags& flags, const CommandContext& context) {
  const auto signals = ULP_TRY(StopSignals::install());
  const auto outcome = ULP_TRY(write(flags, context, signals->token()));
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

}  // namespace ulp::cli
