#pragma once

#include "core/report/model/report.h"

namespace ulp::analysis {

/// Copies what a run says of itself: everything but its comparisons.
[[nodiscard]] report::Run withoutComparisons(const report::Run& run);

/// A report of the same study in which `reference` is the reference and, so far, the only run.
[[nodiscard]] report::Report derivedReport(const report::Report& report,
                                           const report::Run& reference);

}  // namespace ulp::analysis
