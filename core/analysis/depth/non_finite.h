#pragma once

#include <cstddef>
#include <optional>

#include "core/report/model/report.h"

namespace ulp::analysis {

/// Tells whether a tensor holds more NaN or infinite elements than the reference's.
[[nodiscard]] bool losesFinite(const report::Comparison& row);

/// Index in `run.comparisons` of the first tensor, in execution order, that holds more NaN or
/// infinite elements than the reference's; none where every one is as finite as the reference's.
[[nodiscard]] std::optional<std::size_t> firstNonFinite(const report::Run& run);

/// A tensor of a report.
struct NonFiniteOrigin {
  std::size_t run = 0;         ///< in Report::runs
  std::size_t comparison = 0;  ///< in Run::comparisons
  std::size_t runs = 0;        ///< how many runs have such a tensor
};

/// Finds the run whose firstNonFinite() comes earliest, runs of a noise floor left out: in the
/// first step and token of dumps that have some, then in execution order; the first of those that
/// tie.
[[nodiscard]] std::optional<NonFiniteOrigin> firstNonFinite(const report::Report& report);

}  // namespace ulp::analysis
