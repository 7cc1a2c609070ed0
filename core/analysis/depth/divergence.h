#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/report/model/report.h"

namespace ulp::analysis {

/// Counts the elements that are NaN or infinite and not the same in the reference. A report knows
/// how many of each kind there are, and how many pairs are not finite on any side: the least that
/// these prove, which misses infinities that change their signs among each other.
[[nodiscard]] std::uint64_t addedNonFinite(const report::Comparison& row);
/// Tells whether there are any.
[[nodiscard]] bool losesFinite(const report::Comparison& row);

/// Index in `run.comparisons` of the first tensor, in execution order, that losesFinite(); none
/// where every one is as finite as the reference's.
[[nodiscard]] std::optional<std::size_t> firstNonFinite(const report::Run& run);

/// Nothing but -infinity among finite numbers: what a mask holds in the reference.
[[nodiscard]] bool isLikeMask(const report::Comparison& row);
/// Index in `run.comparisons` of the first tensor, in execution order, of which the reference holds
/// NaN or infinity and is no mask; none where all are finite.
[[nodiscard]] std::optional<std::size_t> firstNonFiniteReference(const report::Run& run);

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
  /// rms_rel; of a tensor that is 0 in the reference the RMS difference over the RMS of the tensor
  /// before; NaN: undefined.
  double error = 0;
  double carried = 0;  ///< largest error among what it was computed from
  /// sqrt(carried² + roundOff²); eight times that of a parameter's gradient and of what an
  /// optimizer makes of it, for which every error of the passes counts as carried, and of an
  /// optimizer its root where that is larger. A gradient is measured by the largest one of its
  /// module.
  double expected = 0;
  double excess = 0;      ///< error / expected; infinite where elements stop being finite
  bool isMade = false;    ///< more than the limits allow: the error was made here
  bool isOfZero = false;  ///< the tensor is 0 in the reference, and is not in the run
};

/// Tensors of a run in order of execution: forward, backward, gradients of parameters, optimizer.
/// The loss, which no tensor is computed from, is left out.
struct Divergence {
  std::vector<DivergenceStep> steps;
  std::optional<std::size_t> first;  ///< in steps: the first that isMade
};

/// Follows the error of a run, along the graph where the report holds it. Where it does not, what a
/// tensor was computed from is taken to be the row before it, the output of the last layer,
/// backward the forward tensor of the same name and, of an operation between modules, what
/// SiteInputs knows of its name; in residual models these carry the largest errors. Needs the
/// metric rms_rel; without it there are no steps.
[[nodiscard]] Divergence traceDivergence(const report::Report& report,
                                         const report::Run& run,
                                         const DivergenceLimits& limits);

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
/// not finite; of tensors without elements, too. `report` must have the metric equal_fraction.
/// Zeros of either sign are equal.
[[nodiscard]] bool isEqual(const report::Report& report, const report::Comparison& row);

/// Errors: InvalidArgument where the report lacks the metric equal_fraction, or the run was not
/// compared.
[[nodiscard]] Result<ExactDivergence> exactDivergence(const report::Report& report,
                                                      const report::Run& run);

}  // namespace ulp::analysis
