#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/reports/join_reports.h"
#include "core/base/result.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

/// A report whose errors are those against another run, from the tensors that both kept.
struct RebasedReport {
  report::Report report;
  std::size_t compared = 0;   ///< pairs of tensors
  std::size_t unmatched = 0;  ///< tensors that only one of the two runs kept
  std::size_t misshapen = 0;  ///< that the two kept in different shapes, or as different samples
  std::vector<std::string> problems;  ///< files that could not be read, with the reason
};

struct RebaseOptions {
  std::stop_token stop{};
  int threads = 0;  ///< 0: one a core
  /// Called after each run with what there is so far.
  std::function<void(const RebasedReport&)> onRun{};
  /// Called after each tensor of a run with how much of the run is done, 0 … 1.
  std::function<void(double)> onTensor{};
};

/// Compares every other run of joined reports with `baseline`, tensor by tensor, as a study does
/// with its reference; the former reference is one of the runs, those of a noise floor are not: it
/// is that of the former reference. Where only samples were kept the
/// metrics are those of the samples: `compared` elements out of `count`. Errors: InvalidArgument
/// (no such run), NotFound (nothing of the baseline was kept, with the remedy), Cancelled.
[[nodiscard]] Result<RebasedReport> rebaseReport(const JoinedReports& joined,
                                                 std::span<const ReportSource> sources,
                                                 std::string_view baseline,
                                                 const RebaseOptions& options = {});

}  // namespace ulp::analysis
