#include "core/numerics/metrics/metric.h"

namespace ulp::numerics {

void registerStatNormDiff(MetricRegistry& registry) {
  registry.add({.id = "stat.norm_diff",
                .label = "Norm, difference",
                .formula = "||v|| - ||r||, of recorded norms",
                .scale = MetricScale::Linear,
                .order = 308,
                .ofStatistics = [](const TensorStatistics& r, const TensorStatistics& v) {
                  return v.norm - r.norm;
                }});
}

}  // namespace ulp::numerics
