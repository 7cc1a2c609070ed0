#include "core/numerics/metrics/metric.h"

namespace ulp::numerics {

void registerStatMeanDiff(MetricRegistry& registry) {
  registry.add({.id = "stat.mean_diff",
                .label = "Mean, difference",
                .formula = "mean v - mean r, of recorded means",
                .scale = MetricScale::Linear,
                .order = 307,
                .ofStatistics = [](const TensorStatistics& r, const TensorStatistics& v) {
                  return v.mean - r.mean;
                }});
}

}  // namespace ulp::numerics
