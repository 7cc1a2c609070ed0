#include "core/numerics/metrics/metric.h"
#include "core/numerics/metrics/statistics_math.h"

namespace ulp::numerics {

void registerStatMaxRel(MetricRegistry& registry) {
  registry.add({.id = "stat.max_rel",
                .label = "Largest rel",
                .formula = "|max v - max r| / max(|max r|, |min r|), of recorded extremes",
                .unit = MetricUnit::Percent,
                .order = 303,
                .ofStatistics = [](const TensorStatistics& r, const TensorStatistics& v) {
                  return extremeRel(r, v.max - r.max);
                }});
}

}  // namespace ulp::numerics
