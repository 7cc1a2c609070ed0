#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/reports/join_reports.h"
#include "core/analysis/verdict/run_verdict.h"

namespace ulp::analysis {

/// How the numbers of a run are those of the run of the same name in the first open report.
struct RunAgreement {
  std::string run;            ///< in the joined report
  std::string partner;        ///< there, too; empty: the first report has no such run
  std::size_t tensors = 0;    ///< that either has
  std::size_t different = 0;  ///< of these, with those that one of both lacks
  std::optional<Site> first;  ///< of these the first in order of execution
  bool isLossEqual = true;

  [[nodiscard]] bool isEqual() const { return !partner.empty() && different == 0 && isLossEqual; }
};

/// Compares each run with tensors of every report but the first one, bit by bit in the loss and in
/// all metrics that both reports have; runs of a noise floor are left out.
[[nodiscard]] std::vector<RunAgreement> compareRuns(const JoinedReports& joined,
                                                    std::span<const ReportSource> sources);
/// Says it as a part of the run's verdict.
[[nodiscard]] VerdictPart partOf(const RunAgreement& agreement);

}  // namespace ulp::analysis
