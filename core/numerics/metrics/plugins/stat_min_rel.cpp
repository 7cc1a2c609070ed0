#include "core/numerics/metrics/metric.h"
#include "core/numerics/metrics/statistics_math.h"

namespace ulp::numerics {

void registerStatMinRel(MetricRegistry& registry) {
  registry.add({.id = "stat.min_rel",
                .label = "Smallest rel",
                .formula = "|min v - min r| / max(|max r|, |min r|), of recorded extremes",
                .unit = MetricUnit::Percent,
                .order = 304,
                .ofStatistics = [](const TensorStatistics& r, const TensorStatistics& v) {
                  return extremeRel(r, v.min - r.min);
                }});
}

}  // namespace ulp::numerics
