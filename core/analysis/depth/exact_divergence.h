#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/report/model/report.h"

namespace ulp::analysis {

/// One pass of a run against its baseline.
struct PassDifference {
  Pass pass = Pass::Forward;
  std::vector<std::size_t> rows;     ///< in Run::comparisons, in order of execution
  std::size_t equal = 0;             ///< of `rows`
  std::optional<std::size_t> first;  ///< in Run::comparisons: the first that is not equal
};

/// Where a run first holds another number than its baseline.
struct ExactDivergence {
  std::array<PassDifference, kPasses.size()> passes;  ///< in the order of kPasses
  /// In Run::comparisons: of the first pass that has one.
  std::optional<std::size_t> first;

  [[nodiscard]] std::size_t tensors() const;
  [[nodiscard]] std::size_t equal() const;
};

/// Tells whether every compared element has the same value in both runs, and so have those that are
/// not finite. `report` must have the metric equal_fraction. Zeros of either sign are equal.
[[nodiscard]] bool isEqual(const report::Report& report, const report::Comparison& row);

/// Errors: InvalidArgument where the report lacks the metric equal_fraction, or the run was not
/// compared.
[[nodiscard]] Result<ExactDivergence> exactDivergence(const report::Report& report,
                                                      const report::Run& run);

}  // namespace ulp::analysis
