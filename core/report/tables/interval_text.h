#pragma once

#include <string>

#include "core/numerics/metrics/metric.h"
#include "core/report/model/spread.h"

namespace ulp::report {

/// " ±0.021", the half of a mean's 95 % interval in the unit of its column, and " (n=7)" where the
/// number is defined in fewer than all samples. Empty for one sample.
[[nodiscard]] std::string intervalText(const Spread& spread,
                                       std::uint64_t samples,
                                       numerics::MetricUnit unit);

}  // namespace ulp::report
