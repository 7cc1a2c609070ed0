#pragma once

#include "core/base/result.h"
#include "core/report/model/report.h"

namespace ulp::report {

/// Elements of largest difference that a row keeps of all samples.
inline constexpr std::size_t kWorstKept = 8;

/// Errors: InvalidArgument where `run` ran another version of a file of code than `before`: a
/// difference between them may be that file's.
[[nodiscard]] Result<> checkSameCode(const Run& before, const Run& run);

/// Adds what a run gave on one more sample, the one after the `total.samples` that `total` holds:
/// metrics and losses become means with their spread, counts, times and steps are added up, the
/// worst elements of all samples stay, and the kernels of the first. Name, role, status, overrides
/// and error are the caller's. After the first sample `total` is what it gave. Errors:
/// InvalidArgument for another file of code than before; Internal when the samples do not have the
/// same rows, in the same order.
[[nodiscard]] Result<> mergeSample(Run& total, Run sample);

}  // namespace ulp::report
