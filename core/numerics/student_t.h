#pragma once

#include <cstdint>

namespace ulp::numerics {

/// The 0.975 quantile of Student's t distribution, so that a mean of n values ± studentT975(n - 1)
/// × sd / sqrt(n) is its 95 % interval. To 11 digits. NaN without a degree of freedom. Abramowitz
/// and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4; beyond 200 degrees 26.7.5.
[[nodiscard]] double studentT975(std::uint64_t degreesOfFreedom);

}  // namespace ulp::numerics
