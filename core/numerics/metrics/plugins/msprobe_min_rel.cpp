#include <cmath>

#include "core/numerics/metrics/metric.h"
#include "core/numerics/metrics/statistics_math.h"

namespace ulp::numerics {

void registerMsprobeMinRel(MetricRegistry& registry) {
  registry.add({.id = "msprobe.min_rel",
                .label = "MinRelativeErr",
                .formula = "|min v - min r| / |min r|, of recorded minima, as msprobe scales it; "
                           "large wherever min r is near 0",
                .unit = MetricUnit::Percent,
                .order = 331,
                .isOfDumps = true,
                .ofStatistics = [](const TensorStatistics& r, const TensorStatistics& v) {
                  return relativeTo(std::abs(v.min - r.min), std::abs(r.min));
                }});
}

}  // namespace ulp::numerics
