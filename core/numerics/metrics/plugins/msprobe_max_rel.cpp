#include <cmath>

#include "core/numerics/metrics/metric.h"
#include "core/numerics/metrics/statistics_math.h"

namespace ulp::numerics {

void registerMsprobeMaxRel(MetricRegistry& registry) {
  registry.add({.id = "msprobe.max_rel",
                .label = "MaxRelativeErr",
                .formula = "|max v - max r| / |max r|, of recorded maxima, as msprobe scales it; "
                           "large wherever max r is near 0",
                .unit = MetricUnit::Percent,
                .order = 330,
                .isOfDumps = true,
                .ofStatistics = [](const TensorStatistics& r, const TensorStatistics& v) {
                  return relativeTo(std::abs(v.max - r.max), std::abs(r.max));
                }});
}

}  // namespace ulp::numerics
