#include "app/cli/sources/compare_sides.h"

#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <system_error>
#include <utility>

#include "app/cli/output.h"
#include "app/cli/print/compare_print.h"
#include "core/comparing/align/dump_sides.h"
#include "core/dumps/importers/importer.h"
#include "core/dumps/importers/raw_address.h"
#include "core/dumps/model/dump.h"
#include "core/tensors/opening/tensor_file.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;

/// A file that says nothing of itself, or a folder in which nothing does. What is not there is left
/// to whoever opens it.
bool isRaw(const std::string& side) {
  std::error_code ignored;
  return fs::is_directory(side, ignored)
             ? !analysis::looksLikeDump(side)
             : fs::is_regular_file(side, ignored) && !tensors::looksLikeTensorFile(side);
}

}  // namespace

Result<SideArguments> completeSides(SideArguments sides) {
  const auto both =
      ULP_TRY(analysis::givenOrNamed({.baseline = sides.baseline, .candidate = sides.candidate}));
  sides.baseline = both.baseline.string();
  sides.candidate = both.candidate.string();
  if (sides.rawType.empty()) {
    return sides;
  }
  bool isAny = false;
  for (std::string* side : {&sides.baseline, &sides.candidate}) {
    if (isRaw(*side)) {
      isAny = true;
      *side =
          dumps::toPath({.file = *side, .layout = {sides.rawType, sides.rawShape, sides.rawOffset}})
              .string();
    }
  }
  if (!isAny) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("--raw-dtype, --raw-shape: neither {} nor {} is a file of elements "
                            "without a header, or a folder of them",
                            sides.baseline,
                            sides.candidate));
  }
  return sides;
}

report::DumpSide sideOf(const std::string& argument, const UnitAxes& units) {
  if (!units.run.empty()) {
    return {.path = argument, .units = units};
  }
  report::DumpSide side = analysis::parseSide(argument);
  const std::string run = std::move(side.units.run);
  side.units = units;
  side.units.run = run;
  return side;
}

Result<dumps::DumpPtr> openDumpOf(const report::DumpSide& side, const std::stop_token& stop) {
  auto dump = ULP_TRY(dumps::openDump(side.path, stop));
  return dumps::chooseUnits(std::move(dump), side.units);
}

Result<ComparedSides> compareSides(report::DumpOrigin origin,
                                   const CommandContext& context,
                                   const std::stop_token& stop,
                                   int threads,
                                   bool isQuiet) {
  auto sides = ULP_TRY(analysis::openSides(std::move(origin), stop));
  ProgressLine line(context, "comparing", isQuiet);
  auto comparison = ULP_TRY(analysis::compareDumps(*sides.baseline,
                                                   *sides.candidate,
                                                   {.mapping = std::move(sides.mapping),
                                                    .threads = threads,
                                                    .readsElements = sides.origin.readsElements},
                                                   {},
                                                   stop,
                                                   std::ref(line)));
  if (!isAnyPaired(comparison)) {
    comparison.failures.emplace_back(
        ErrorCode::InvalidArgument,
        fmt::format("{}, {}: nothing was paired, so nothing was compared; where names differ a "
                    "mapping (--map) says which belong together",
                    sides.origin.baseline.path.string(),
                    sides.origin.candidate.path.string()));
  }
  return ComparedSides{std::move(comparison), std::move(sides.origin)};
}

}  // namespace ulp::cli
