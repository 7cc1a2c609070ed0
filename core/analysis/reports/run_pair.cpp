#include "core/analysis/reports/run_pair.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <utility>

#include "core/analysis/depth/recorded_inputs.h"
#include "core/base/list_of.h"
#include "core/report/summary/told_apart.h"

namespace ulp::analysis {
namespace {

Result<std::size_t> indexOf(const report::Report& report, std::string_view run) {
  const auto found = std::ranges::find(report.runs, run, &report::Run::name);
  if (found == report.runs.end()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("there is no run '{}'; choose {}",
                            run,
                            fmt::join(listOf(report.runs, &report::Run::name), ", ")));
  }
  return static_cast<std::size_t>(found - report.runs.begin());
}

NamedRun runAt(const JoinedReports& joined,
               std::span<const ReportSource> sources,
               std::size_t run) {
  const RunOrigin& origin = joined.origins[run];
  return {sources[origin.source].loaded, origin.run};
}

/// The run that `run` was compared with in its own report, also where several share it.
NamedRun ownReference(const JoinedReports& joined,
                      std::span<const ReportSource> sources,
                      std::size_t run) {
  const report::LoadedReport& loaded = sources[joined.origins[run].source].loaded;
  return {loaded, loaded.report->reference};
}

/// The two runs alone, without what they were compared with.
JoinedReports pairAlone(const JoinedReports& joined, std::size_t baseline, std::size_t candidate) {
  JoinedReports both{.report = {},
                     .origins = {},
                     .ownNames = joined.ownNames,
                     .sharesReference = joined.sharesReference};
  const report::Run& reference = joined.report->runs[baseline];
  report::Report report = derivedReport(*joined.report, reference);
  report.runs.clear();
  for (const std::size_t run : {baseline, candidate}) {
    report.runs.push_back(withoutComparisons(joined.report->runs[run]));
    // Whoever was named is compared, also a run of the noise floor.
    report.runs.back().role = report::RunRole::Variant;
    both.origins.push_back(joined.origins[run]);
  }
  both.report = std::make_shared<const report::Report>(std::move(report));
  return both;
}

Result<RunPair> compareKept(RunPair pair,
                            const JoinedReports& both,
                            std::span<const ReportSource> sources,
                            const RebaseOptions& options) {
  auto rebased = rebaseReport(both, sources, pair.baselineLabel, options);
  if (rebased && rebased->compared > 0) {
    pair.report = std::make_shared<const report::Report>(std::move(rebased->report));
    pair.rows = pair.report->findRun(pair.candidateLabel);
    pair.unmatched = rebased->unmatched;
    pair.misshapen = rebased->misshapen;
    pair.problems = std::move(rebased->problems);
    return pair;
  }
  if (!rebased && rebased.error().code() != ErrorCode::NotFound) {
    return tl::unexpected<Error>(std::move(rebased.error()));
  }
  return fail(ErrorCode::NotFound,
              fmt::format("'{}' and '{}': neither was the reference of the other, and there are no "
                          "tensors that both kept; run the study again with capture.tensors: full, "
                          "or with one of them as its `reference:`",
                          pair.baselineLabel,
                          pair.candidateLabel));
}

}  // namespace

bool RunPair::isOfOtherTokens() const {
  return report::areToldApart(baseline.loaded.report->provenance.tokenDigest,
                              candidate.loaded.report->provenance.tokenDigest);
}

std::optional<NamedRun> namedRun(const JoinedReports& joined,
                                 std::span<const ReportSource> sources,
                                 std::string_view run) {
  const auto index = indexOf(*joined.report, run);
  return index ? std::optional(runAt(joined, sources, *index)) : std::nullopt;
}

Result<RunPair> pairRuns(const JoinedReports& joined,
                         std::span<const ReportSource> sources,
                         std::string_view baseline,
                         std::string_view candidate,
                         const RebaseOptions& options) {
  auto first = ULP_TRY(indexOf(*joined.report, baseline));
  auto second = ULP_TRY(indexOf(*joined.report, candidate));
  if (first == second) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("'{}' cannot be compared with itself; name another run", baseline));
  }
  const std::vector<report::Run>& runs = joined.report->runs;
  const auto isReferenceOf = [&](std::size_t reference, std::size_t run) {
    return joined.report->referenceOf(runs[run]) == &runs[reference];
  };
  // The report has comparisons with the reference alone.
  if (isReferenceOf(second, first)) {
    std::swap(first, second);
  }
  const bool isCompared = isReferenceOf(first, second);
  RunPair pair{.baseline = isCompared ? ownReference(joined, sources, second)
                                      : runAt(joined, sources, first),
               .candidate = runAt(joined, sources, second),
               .baselineLabel = joined.report->runs[first].name,
               .candidateLabel = joined.report->runs[second].name};
  if (isCompared) {
    pair.report = joined.report;
    pair.rows = &pair.report->runs[second];
    pair.unmatched = countLoneOperations(pair.report->runs[first].graph, pair.rows->graph);
    return pair;
  }
  return compareKept(std::move(pair), pairAlone(joined, first, second), sources, options);
}

}  // namespace ulp::analysis
