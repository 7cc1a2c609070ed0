#include "app/cli/sources/compare_sides.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <ranges>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/cli/output.h"
#include "app/cli/print/compare_print.h"
#include "core/base/list_of.h"
#include "core/base/text/sentence.h"
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

/// "there are step 0; step 1 in a", "nothing in b says steps, ranks or tokens"
std::string unitsOf(const dumps::Dump& dump) {
  constexpr std::size_t kShown = 8;
  std::vector<std::string> names =
      listOf(dump.units, [](const dumps::UnitInfo& unit) { return describe(unit.axes); });
  std::erase(names, "");
  const std::size_t shown = std::min(names.size(), kShown);
  return names.empty()
             ? fmt::format("nothing in {} says steps, ranks or tokens", dump.path.string())
             : fmt::format(
                   "there are {} in {}",
                   andMore(fmt::format("{}", fmt::join(names | std::views::take(shown), "; ")),
                           names.size() - shown)
                       .text(),
                   dump.path.string());
}

bool saysUnits(const dumps::Dump& dump) {
  return !std::ranges::all_of(
      dump.units, [](const dumps::UnitInfo& unit) { return describe(unit.axes).empty(); });
}

Result<> checkUnits(const analysis::DumpSides& sides) {
  const dumps::Dump& baseline = *sides.baseline;
  const dumps::Dump& candidate = *sides.candidate;
  if (!analysis::pairUnits(baseline, candidate).pairs.empty()) {
    return {};
  }
  const bool areBoth = saysUnits(baseline) && saysUnits(candidate);
  return fail(ErrorCode::InvalidArgument,
              fmt::format("no step, rank or token in common: {}; {}; name {}",
                          unitsOf(baseline),
                          unitsOf(candidate),
                          areBoth ? "one of each by its folder, as in " +
                                        baseline.units.front().path.string()
                                  : "one by --step, --rank or --token"));
}

/// Different shapes are an answer, too.
bool hasAnswer(const analysis::UnitOutcome& unit) {
  return unit.rowsByElements + unit.rowsByStatistics + unit.rowsByChecksums > 0 ||
         !unit.shapesDiffer.empty();
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
  ULP_TRY(checkUnits(sides));
  ProgressLine line(context, "comparing", isQuiet);
  auto comparison = ULP_TRY(analysis::compareDumps(*sides.baseline,
                                                   *sides.candidate,
                                                   {.mapping = std::move(sides.mapping),
                                                    .threads = threads,
                                                    .readsElements = sides.origin.readsElements},
                                                   {},
                                                   stop,
                                                   std::ref(line)));
  const auto addFailure = [&](std::string_view what) {
    comparison.failures.emplace_back(ErrorCode::InvalidArgument,
                                     fmt::format("{}, {}: {}",
                                                 sides.origin.baseline.path.string(),
                                                 sides.origin.candidate.path.string(),
                                                 what));
  };
  if (!isAnyPaired(comparison)) {
    addFailure(
        "nothing was paired, so nothing was compared; where names differ a mapping (--map) "
        "says which belong together");
  } else if (std::ranges::none_of(comparison.units, hasAnswer)) {
    const bool isUnread = std::ranges::any_of(
        comparison.units, [](const analysis::UnitOutcome& unit) { return !unit.problems.empty(); });
    addFailure(isUnread ? "no tensor that was paired could be read"
               : sides.origin.readsElements
                   ? "nothing of what was paired can be compared: there are no numbers"
                   : "nothing of what was paired has recorded numbers on both sides; without "
                     "--recorded elements are read");
  }
  return ComparedSides{std::move(comparison), std::move(sides.origin)};
}

}  // namespace ulp::cli
