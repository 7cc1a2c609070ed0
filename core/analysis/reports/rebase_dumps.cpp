#include "core/analysis/reports/rebase_dumps.h"

#include <algorithm>

#include "core/report/model/one_dump.h"

namespace ulp::analysis {
namespace {

const report::DumpOrigin& dumpsOf(const ReportSource& source) {
  return *source.loaded.report->dumps;
}

bool areDumpComparisons(std::span<const ReportSource> sources) {
  return std::ranges::all_of(sources, [](const ReportSource& source) {
    return source.loaded.report->dumps && !report::isOneDump(dumpsOf(source));
  });
}

}  // namespace

std::vector<report::DumpOrigin> comparisonsAgainst(const std::string& run,
                                                   const JoinedReports& joined,
                                                   std::span<const ReportSource> sources) {
  const auto chosen = std::ranges::find(joined.report->runs, run, &report::Run::name);
  if (chosen == joined.report->runs.end() || run == joined.report->reference ||
      !areDumpComparisons(sources)) {
    return {};
  }
  constexpr std::size_t kReferenceAndOneUnit = 2;
  if (sources.size() == 1 && joined.report->runs.size() > kReferenceAndOneUnit) {
    return {};
  }
  const auto place = static_cast<std::size_t>(chosen - joined.report->runs.begin());
  const report::DumpOrigin& own = dumpsOf(sources[joined.origins[place].source]);
  std::vector<report::DumpOrigin> result;
  const auto add = [&](const report::DumpSide& side) {
    const bool isKnown =
        side == own.candidate ||
        std::ranges::find(result, side, &report::DumpOrigin::candidate) != result.end();
    if (!isKnown) {
      result.push_back(
          {.baseline = own.candidate, .candidate = side, .readsElements = own.readsElements});
    }
  };
  add(own.baseline);
  for (const ReportSource& source : sources) {
    add(dumpsOf(source).baseline);
    add(dumpsOf(source).candidate);
  }
  return result;
}

}  // namespace ulp::analysis
