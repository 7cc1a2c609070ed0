#include <cmath>

#include "core/numerics/metrics/metric.h"
#include "core/numerics/metrics/statistics_math.h"

namespace ulp::numerics {

void registerMsprobeMeanRel(MetricRegistry& registry) {
  registry.add({.id = "msprobe.mean_rel",
                .label = "MeanRelativeErr",
                .formula = "|mean v - mean r| / |mean r|, of recorded means, as msprobe scales it; "
                           "large wherever mean r is near 0",
                .unit = MetricUnit::Percent,
                .order = 332,
                .isOfDumps = true,
                .ofStatistics = [](const TensorStatistics& r, const TensorStatistics& v) {
                  return relativeTo(std::abs(v.mean - r.mean), std::abs(r.mean));
                }});
}

}  // namespace ulp::numerics
