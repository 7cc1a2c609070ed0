#include "app/cli/sources/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

#include "core/base/text/split.h"
#include "core/report/formats/format.h"

namespace ulp::cli {

void addReportPart(CLI::App& command, ReportPart& part) {
  command.add_option("RUN", part.run, "Folder of a study, its precision_report.json, or a dump")
      ->required();
  command
      .add_option(
          "--pass", part.passes, "forward, backward, parameter_gradient, optimizer; default: all")
      ->delimiter(',');
  command.add_option("--variant", part.variants, "Names of runs; default: all")->delimiter(',');
}

void addMetrics(CLI::App& command, ReportPart& part) {
  command
      .add_option("--metric",
                  part.metrics,
                  "Ids such as rms_rel,ulp.max; default: all, or in tables for reading the main "
                  "ones")
      ->delimiter(',');
}

Result<report::ExportOptions> exportOptions(const ReportPart& part) {
  report::ExportOptions options{.metrics = part.metrics, .runs = part.variants};
  for (const std::string& name : part.passes) {
    const Pass pass = ULP_TRY(passNamed(name));
    options.passes.push_back(pass);
  }
  return options;
}

Result<Pass> passNamed(const std::string& name) {
  if (const auto pass = parsePass(name)) {
    return *pass;
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("--pass: unknown pass '{}'; choose forward, backward, "
                          "parameter_gradient, optimizer",
                          name));
}

void addUnitOptions(CLI::App& command, UnitAxes& units, const std::string& prefix) {
  const std::string one = prefix + (prefix.empty() ? "This " : "this ");
  command.add_option("--step", units.step, one + "step alone");
  command.add_option("--rank", units.rank, one + "rank alone");
  command.add_option("--token", units.token, one + "token alone");
}

std::vector<std::string> formatsWithTables(std::vector<std::string> own) {
  for (const report::Format& format : report::tableFormats()) {
    if (std::ranges::find(own, format.id) == own.end()) {
      own.push_back(format.id);
    }
  }
  return own;
}

Result<> refuseOptions(const CLI::App& command, std::string_view options, std::string_view why) {
  for (const std::string_view option : split(options, ' ')) {
    if (command.count(std::string(option)) > 0) {
      return fail(ErrorCode::InvalidArgument, fmt::format("{}: {}", option, why));
    }
  }
  return {};
}

}  // namespace ulp::cli
