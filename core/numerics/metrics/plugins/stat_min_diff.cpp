#include "core/numerics/metrics/metric.h"

namespace ulp::numerics {

void registerStatMinDiff(MetricRegistry& registry) {
  registry.add({.id = "stat.min_diff",
                .label = "Min, difference",
                .formula = "min v - min r, of recorded extremes",
                .scale = MetricScale::Linear,
                .order = 306,
                .ofStatistics = [](const TensorStatistics& r, const TensorStatistics& v) {
                  return v.min - r.min;
                }});
}

}  // namespace ulp::numerics
