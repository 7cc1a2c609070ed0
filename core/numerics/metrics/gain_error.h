#pragma once

#include "core/numerics/comparison/comparison.h"
#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

/// Computes by which share a candidate is larger (or smaller) than its reference where it points
/// the same way: sum(r v) / sum(r^2) - 1, signed. Rounding to the nearest leaves it near 0; what
/// keeps its sign over many inputs is a bias. NaN of a reference without a finite element other
/// than 0, and where ratioOf() is undefined.
[[nodiscard]] inline double gainError(const Moments& moments) {
  return ratioOf(moments.sumProduct, moments.sumSquaredReference) - 1;
}

}  // namespace ulp::numerics
