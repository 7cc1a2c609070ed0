#pragma once

#include <cstdint>
#include <limits>

namespace ulp::numerics {

/// What metrics return where they are undefined.
inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// `sum` / `count`, undefined for nothing.
[[nodiscard]] inline double meanOf(double sum, std::uint64_t count) {
  return count == 0 ? kUndefined : sum / static_cast<double>(count);
}

}  // namespace ulp::numerics
