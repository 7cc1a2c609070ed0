#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/reports/join_reports.h"
#include "core/analysis/reports/rebase_report.h"
#include "core/base/result.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

/// A run and where it was found.
struct NamedRun {
  report::LoadedReport loaded;
  std::string run;  ///< its name there
};

/// Finds a run of joined reports by its name there, in its own report; nothing: there is none.
[[nodiscard]] std::optional<NamedRun> namedRun(const JoinedReports& joined,
                                               std::span<const ReportSource> sources,
                                               std::string_view run);

/// A run compared with another one, tensor by tensor.
struct RunPair {
  NamedRun baseline;
  NamedRun candidate;
  std::string baselineLabel;  ///< its name among the runs that it was chosen from
  std::string candidateLabel;
  report::ReportPtr report{};         ///< has the comparisons
  const report::Run* rows = nullptr;  ///< of the candidate with the baseline, in `report`
  /// Tensors that only one of the two runs kept; of a run and the reference of its study the
  /// operations that only one of them made.
  std::size_t unmatched = 0;
  std::size_t misshapen = 0;            ///< that the two kept in different shapes
  std::vector<std::string> problems{};  ///< files that could not be read

  /// Whether their studies say that they are of different tokens.
  [[nodiscard]] bool isOfOtherTokens() const;
};

/// Pairs two runs of joined reports, by their names there. Where one of them is the reference of
/// the other's study, the report has the comparisons, and the reference is the baseline whichever
/// was named first; else they are made from the kept tensors, as `options` say. Errors:
/// InvalidArgument (no such run, with those that there are; twice the same), NotFound (tensors were
/// not kept, with the remedy), Cancelled.
[[nodiscard]] Result<RunPair> pairRuns(const JoinedReports& joined,
                                       std::span<const ReportSource> sources,
                                       std::string_view baseline,
                                       std::string_view candidate,
                                       const RebaseOptions& options = {});

}  // namespace ulp::analysis
