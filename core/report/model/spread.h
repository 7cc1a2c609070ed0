#pragma once

#include <cstdint>

#include "core/base/undefined.h"

namespace ulp::report {

/// How a number varies over the samples of a study; the number itself is their mean. All but
/// `undefined` are over the samples in which it is finite.
struct Spread {
  double sd = kUndefined;  ///< with n - 1; NaN: fewer than two
  double minimum = kUndefined;
  double maximum = kUndefined;
  std::uint64_t undefined = 0;  ///< samples in which it is NaN or infinite
};

/// Gives the spread of a single sample.
[[nodiscard]] Spread spreadOf(double value);

/// Adds the value of one more sample to `mean` and `spread`, which are those of `samples` before
/// it. The mean is over the finite values; without one it is what all samples have in common, an
/// infinity or NaN, else NaN. Welford, Technometrics 4 (1962) 419; it keeps no sum, so that a mean
/// that was written and read goes on as if it had not been.
void addSample(double& mean, Spread& spread, std::uint64_t samples, double value);

/// Half of the 95 % interval of a mean over `samples`: Student's t × sd / sqrt(n) over the n finite
/// values. NaN with fewer than two of them.
[[nodiscard]] double halfInterval(const Spread& spread, std::uint64_t samples);

/// Whether a signed error has a direction: its 95 % interval excludes 0.
[[nodiscard]] bool isSystematic(double mean, const Spread& spread, std::uint64_t samples);

}  // namespace ulp::report
