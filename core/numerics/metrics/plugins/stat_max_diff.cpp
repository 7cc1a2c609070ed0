#include "core/numerics/metrics/metric.h"

namespace ulp::numerics {

void registerStatMaxDiff(MetricRegistry& registry) {
  registry.add({.id = "stat.max_diff",
                .label = "Max, difference",
                .formula = "max v - max r, of recorded extremes",
                .scale = MetricScale::Linear,
                .order = 305,
                .ofStatistics = [](const TensorStatistics& r, const TensorStatistics& v) {
                  return v.max - r.max;
                }});
}

}  // namespace ulp::numerics
