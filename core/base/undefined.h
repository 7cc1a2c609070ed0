#pragma once

#include <limits>

namespace ulp {

/// A number that nothing defines: a share of nothing, the metric of a zero norm.
inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

}  // namespace ulp
