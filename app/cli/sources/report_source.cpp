#include "app/cli/sources/report_source.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <functional>
#include <memory>
#include <utility>

#include "app/cli/output.h"
#include "app/cli/sources/compare_sides.h"
#include "app/cli/stop_signals.h"
#include "core/comparing/align/dump_sides.h"
#include "core/comparing/verdict/dump_report.h"

namespace ulp::cli {
namespace {

/// A run of a study that is named is looked at as a dump, too.
bool isDump(const report::DumpSide& side) {
  return side.units.run.empty() ? analysis::isDump(side.path) : analysis::looksLikeDump(side.path);
}

void printProblems(const analysis::DumpContents& contents, const CommandContext& context) {
  const auto print = [&](const std::vector<std::string>& notes) {
    for (const std::string& note : notes) {
      fmt::print(context.err, "note: {}\n", note);
    }
  };
  print(textsOf(contents.notes));
  for (const Error& failure : contents.failures) {
    print({failure.message()});
  }
  for (const analysis::UnitContents& unit : contents.units) {
    print(unit.problems);
    print(textsOf(unit.notes));
  }
}

Result<report::LoadedReport> readDump(report::DumpSide side, const CommandContext& context) {
  const auto signals = ULP_TRY(StopSignals::install());
  const std::filesystem::path path = side.path;
  auto sides = ULP_TRY(analysis::openSides({.baseline = std::move(side)}, signals->token()));
  ProgressLine line(context, "reading");
  auto contents =
      ULP_TRY(analysis::readContents(*sides.baseline, {}, signals->token(), std::ref(line)));
  printProblems(contents, context);
  return report::LoadedReport{std::make_shared<const report::Report>(
                                  analysis::toReport(std::move(contents), std::move(sides.origin))),
                              path,
                              {}};
}

}  // namespace

Result<report::LoadedReport> loadReportOrDump(const std::string& source,
                                              const UnitAxes& units,
                                              const CommandContext& context) {
  auto loaded = report::loadReport(source);
  report::DumpSide side = sideOf(source, units);
  if (!loaded && isDump(side)) {
    return readDump(std::move(side), context);
  }
  if (loaded && !units.isEmpty()) {
    return fail(ErrorCode::InvalidArgument,
                "--run, --step, --rank, --token: are for dumps; of a report --variant chooses");
  }
  return loaded;
}

}  // namespace ulp::cli
