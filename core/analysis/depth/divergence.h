#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/report/model/report.h"

namespace ulp::analysis {

/// When a tensor's error counts as made there.
struct DivergenceLimits {
  /// How many times the error may exceed what its inputs and the format account for.
  double excess = 2;
  /// Unit round-off of the format that the run computes in.
  double roundOff = 0;
};

/// A tensor in order of execution, with the error that it holds and the error that came in.
struct DivergenceStep {
  std::size_t comparison = 0;  ///< in Run::comparisons
  double error = 0;            ///< rms_rel; NaN: undefined
  double carried = 0;          ///< largest rms_rel among what it was computed from
  double expected = 0;         ///< sqrt(carried² + roundOff²)
  double excess = 0;           ///< error / expected; infinite where elements stop being finite
  bool isMade = false;         ///< more than the limits allow: the error was made here
};

/// Forward and backward tensors of a run in order of execution; parameter gradients and the loss,
/// which no tensor is computed from, are left out.
struct Divergence {
  std::vector<DivergenceStep> steps;
  std::optional<std::size_t> first;  ///< in steps: the first that isMade
};

/// Follows the error of a run. A report holds no graph, so what a tensor was computed from is taken
/// to be the row before it, the output of the last layer, backward the forward tensor of the same
/// name and, of an operation between modules, what SiteInputs knows of its name; in residual models
/// these carry the largest errors. Needs the metric rms_rel; without it there are no steps.
[[nodiscard]] Divergence traceDivergence(const report::Report& report,
                                         const report::Run& run,
                                         const DivergenceLimits& limits);

}  // namespace ulp::analysis
