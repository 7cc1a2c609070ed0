#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/report/contents/export_options.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the name that the library has
class App;
}

namespace ulp::cli {

/// The part of a report that a command line names.
struct ReportPart {
  std::string run;
  std::vector<std::string> passes;
  std::vector<std::string> metrics;
  std::vector<std::string> variants;
};

/// RUN, --pass, --metric and --variant. `part` outlives the command.
void addReportPart(CLI::App& command, ReportPart& part);
/// Errors: InvalidArgument for an unknown pass.
[[nodiscard]] Result<report::ExportOptions> exportOptions(const ReportPart& part);

}  // namespace ulp::cli
