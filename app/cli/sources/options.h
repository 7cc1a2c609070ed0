#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/site.h"
#include "core/base/unit_axes.h"
#include "core/report/contents/export_selection.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the name that the library has
class App;
}

/// Options that several commands have.
namespace ulp::cli {

/// The part of a report that a command line names.
struct ReportPart {
  std::string run;
  std::vector<std::string> passes;
  std::vector<std::string> metrics;
  std::vector<std::string> variants;
};

/// Adds RUN, --pass and --variant. `part` outlives the command.
void addReportPart(CLI::App& command, ReportPart& part);

/// Adds --metric, likewise.
void addMetrics(CLI::App& command, ReportPart& part);

/// Errors: InvalidArgument for an unknown pass.
[[nodiscard]] Result<report::ExportOptions> exportOptions(const ReportPart& part);
/// Reads the value of --pass. Error: InvalidArgument, with those that there are.
[[nodiscard]] Result<Pass> passNamed(const std::string& name);

/// Adds --step, --rank and --token. `units` outlives the command; `prefix` stands in front of each
/// explanation: "Dumps: ".
void addUnitOptions(CLI::App& command, UnitAxes& units, const std::string& prefix = {});

/// Lists formats for --format: those that the command writes itself, then those of tables.
[[nodiscard]] std::vector<std::string> formatsWithTables(std::vector<std::string> own);

/// Error: InvalidArgument where one of the options ("--step --map") was given: "--map: is for dumps
/// alone".
[[nodiscard]] Result<> refuseOptions(const CLI::App& command,
                                     std::string_view options,
                                     std::string_view why);

}  // namespace ulp::cli
