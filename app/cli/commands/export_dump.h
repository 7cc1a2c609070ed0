#pragma once

#include <string>
#include <vector>

#include "app/cli/command.h"
#include "core/base/unit_axes.h"
#include "core/dumps/exporters/dump_exporter.h"

namespace ulp::cli {

/// `export SOURCE TARGET --to FORMAT`: a dump, run or file written as tensors for other tools.
struct ExportDumpFlags {
  std::string source;
  std::string target;
  std::string format;
  UnitAxes units{};
  dumps::DumpExportOptions options{};
  bool isQuiet = false;
};

/// Lists the ids of the formats that `--to` takes.
[[nodiscard]] std::vector<std::string> tensorFormats();
/// Adds the options of this kind of export. `flags` outlives the command; `source` and `format` are
/// the caller's.
void addExportDumpOptions(CLI::App& command, ExportDumpFlags& flags);
/// Writes, and says what was written and notes on `context.err`. Errors: InvalidArgument for an
/// unknown format or without a target, those of opening the dump and of exportDump().
[[nodiscard]] Result<> exportDumpTo(const ExportDumpFlags& flags, const CommandContext& context);

}  // namespace ulp::cli
