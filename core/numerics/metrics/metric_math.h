#pragma once

#include <cmath>
#include <cstdint>

#include "core/base/undefined.h"

namespace ulp::numerics {

/// `sum` / `count`, undefined for nothing.
[[nodiscard]] inline double meanOf(double sum, std::uint64_t count) {
  return count == 0 ? kUndefined : sum / static_cast<double>(count);
}

/// `part` / `whole` of sums of squares or products. Undefined for a whole of 0, and for one beyond
/// float64's range, where only squares of float64 tensors can be; infinite for such a part alone.
[[nodiscard]] inline double ratioOf(double part, double whole) {
  return whole == 0 || !std::isfinite(whole) ? kUndefined : part / whole;
}

}  // namespace ulp::numerics
