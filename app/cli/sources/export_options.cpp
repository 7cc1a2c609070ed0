#include "app/cli/sources/export_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ulp::cli {

void addReportPart(CLI::App& command, ReportPart& part) {
  command.add_option("RUN", part.run, "Folder of a study, or its precision_report.json")
      ->required();
  command
      .add_option(
          "--pass", part.passes, "forward, backward, parameter_gradient, optimizer; default: all")
      ->delimiter(',');
  command
      .add_option("--metric",
                  part.metrics,
                  "Ids such as rms_rel,ulp.max; default: all, or in tables for reading the main "
                  "ones")
      ->delimiter(',');
  command.add_option("--variant", part.variants, "Names of runs; default: all")->delimiter(',');
}

Result<report::ExportOptions> exportOptions(const ReportPart& part) {
  report::ExportOptions options{.metrics = part.metrics, .runs = part.variants};
  for (const std::string& name : part.passes) {
    const auto pass = parsePass(name);
    if (!pass) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("--pass: unknown pass '{}'; choose forward, backward, "
                              "parameter_gradient, optimizer",
                              name));
    }
    options.passes.push_back(*pass);
  }
  return options;
}

}  // namespace ulp::cli
