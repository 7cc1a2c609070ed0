#include "app/cli/commands/diverge_dump.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <ostream>
#include <utility>

#include "app/cli/print/compare_print.h"
#include "app/cli/print/overflow_print.h"
#include "app/cli/progress_line.h"
#include "app/cli/sources/compare_sides.h"
#include "app/cli/stop_signals.h"
#include "core/analysis/mapping/site_mapping.h"
#include "core/comparing/align/dump_sides.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "core/report/formats/format.h"

namespace ulp::cli {
namespace {

Result<UnitOverflow> searchUnit(const dumps::Dump& dump,
                                std::size_t index,
                                const DumpDivergence& request,
                                const std::stop_token& stop,
                                const dumps::Progress& progress) {
  const auto unit = ULP_TRY(dump.openUnit(index, stop));
  auto finiteness = ULP_TRY(
      analysis::finitenessOf(*unit, {.readsElements = request.readsElements}, stop, progress));
  return UnitOverflow{.label = describe(unit->axes),
                      .search = analysis::findOverflow(*unit, finiteness),
                      .problems = std::move(finiteness.problems),
                      .notes = unit->notes};
}

/// Units that cannot be read are a note, and the rest is searched.
Result<DumpOverflow> searchDump(const DumpDivergence& request,
                                const CommandContext& context,
                                const std::stop_token& stop) {
  const report::DumpSide side = sideOf(request.first, request.units);
  const auto dump = ULP_TRY(openDumpOf(side, stop));
  DumpOverflow overflow{
      .name = side.path.string(), .format = dump->format, .units = {}, .notes = dump->notes};
  ProgressLine line(context, "searching");
  std::optional<Error> firstError;
  for (std::size_t i = 0; i < dump->units.size(); ++i) {
    auto unit = searchUnit(*dump, i, request, stop, [&](std::uint64_t done, std::uint64_t total) {
      line.show(i * total + done, dump->units.size() * total);
    });
    if (unit) {
      overflow.units.push_back(std::move(*unit));
    } else if (unit.error().code() == ErrorCode::Cancelled ||
               unit.error().code() == ErrorCode::OutOfMemory) {
      return tl::unexpected<Error>(std::move(unit.error()));
    } else {
      overflow.notes.push_back(unit.error().message());
      firstError = firstError ? firstError : unit.error();
    }
  }
  if (overflow.units.empty() && firstError) {
    return tl::unexpected<Error>(*firstError);
  }
  return overflow;
}

Result<ExitCode> divergeOne(const DumpDivergence& request,
                            const CommandContext& context,
                            const std::stop_token& stop) {
  const auto overflow = ULP_TRY(searchDump(request, context, stop));
  if (request.format == "text") {
    context.out << overflowText(overflow, kNamesShown);
  } else if (request.format == "json") {
    context.out << overflowJson(overflow);
  } else {
    const auto table = ULP_TRY(report::writeTable(overflowTable(overflow), request.format));
    context.out << table;
  }
  return overflow.hasOrigin() ? ExitCode::RuleFailed : ExitCode::Done;
}

Result<ExitCode> divergePair(const DumpDivergence& request,
                             const CommandContext& context,
                             const std::stop_token& stop) {
  std::string mapping;
  if (!request.map.empty()) {
    // Read here as well as by the comparison, so that an error names the file.
    auto file = ULP_TRY(analysis::readMappingFile(request.map));
    mapping = std::move(file.text);
  }
  auto sides = ULP_TRY(analysis::openSides({.baseline = sideOf(request.first, request.units),
                                            .candidate = sideOf(request.second, request.units),
                                            .mapping = std::move(mapping),
                                            .readsElements = request.readsElements},
                                           stop));
  const auto comparison = ULP_TRY([&] {
    ProgressLine line(context, "comparing");
    return analysis::compareDumps(
        *sides.baseline,
        *sides.candidate,
        {.mapping = std::move(sides.mapping), .readsElements = request.readsElements},
        {},
        stop,
        [&](std::uint64_t done, std::uint64_t total) { line.show(done, total); });
  }());
  context.out << (request.format == "json" ? comparisonJson(comparison, nullptr)
                                           : verdictText(comparison, kNamesShown));
  const bool hasCulprit = std::any_of(
      comparison.units.begin(), comparison.units.end(), [](const analysis::UnitOutcome& unit) {
        return !unit.verdict.culprits.empty();
      });
  const ExitCode ofFailures = context.reportErrors(comparison.failures);
  return hasCulprit ? ExitCode::RuleFailed : ofFailures;
}

}  // namespace

bool holdsDump(const std::string& name) {
  return analysis::isDump(analysis::parseSide(name).path);
}

Result<ExitCode> divergeDumps(const DumpDivergence& request, const CommandContext& context) {
  const auto signals = ULP_TRY(StopSignals::install());
  const std::stop_token stop = signals->token();
  if (request.second.empty() && !request.map.empty()) {
    return fail(ErrorCode::InvalidArgument,
                "--map: says how the names of two dumps correspond, and there is one");
  }
  if (request.second.empty()) {
    return divergeOne(request, context, stop);
  }
  if (request.format != "text" && request.format != "json") {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("--format {}: of two dumps there are text and json; `compare` writes "
                            "tables",
                            request.format));
  }
  return divergePair(request, context, stop);
}

}  // namespace ulp::cli
