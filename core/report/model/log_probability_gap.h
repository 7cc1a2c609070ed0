#pragma once

#include <cstddef>
#include <vector>

#include "core/base/result.h"
#include "core/report/model/log_probabilities.h"
#include "core/report/model/log_probability_error.h"

namespace ulp::report {

/// How far two runs are apart in the log-probabilities of the chosen tokens: what is known as the
/// gap of trainer and sampler. δ = log π_B − log π_A over the tokens with a label that are finite
/// in both runs; all of it in float64. Undefined values are NaN. The interval takes tokens as
/// independent and is NaN below two; the slope is cov / var of log π_B over log π_A. KL(A ‖ B) is
/// estimated from tokens that A drew: the mean of exp(δ) − 1 − δ (Schulman 2020, "k3"), never
/// negative; of other tokens it is a distance, not a divergence. `positions` stay unknown.
struct LogProbabilityGap : LogProbabilityError {
  std::size_t largestPlace = 0;  ///< position of the largest |δ|, row-major
  std::vector<double> sums{};    ///< of δ over each sequence
};

/// Whether numbers are NaN because tokens are.
[[nodiscard]] inline bool isNoneFinite(const LogProbabilityError& error) {
  return error.tokens == 0 && error.nonFinite > 0;
}

struct GapOptions {
  double epsilon = 0.01;
};

/// Errors: InvalidArgument when the two are not of the same tokens (shapes, or labels where the
/// shapes are equal).
[[nodiscard]] Result<LogProbabilityGap> logProbabilityGap(const LogProbabilities& a,
                                                          const LogProbabilities& b,
                                                          const GapOptions& options = {});

/// Computes the gap in the form that reports keep, without `positions`. Errors: as
/// logProbabilityGap().
[[nodiscard]] Result<LogProbabilityError> logProbabilityError(const LogProbabilities& reference,
                                                              const LogProbabilities& run,
                                                              const GapOptions& options = {});

/// δ token by token, [sequences, length]; NaN where there is no label.
[[nodiscard]] Result<std::vector<double>> logProbabilityDifferences(const LogProbabilities& a,
                                                                    const LogProbabilities& b);

/// Correlation of the errors of two runs against a third: 1 where both err alike, as runs that
/// share a cause do; NaN where one of them does not err. Errors: as logProbabilityGap().
[[nodiscard]] Result<double> errorCorrelation(const LogProbabilities& reference,
                                              const LogProbabilities& a,
                                              const LogProbabilities& b);

}  // namespace ulp::report
