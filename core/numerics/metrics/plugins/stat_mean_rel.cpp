#include "core/numerics/metrics/metric.h"
#include "core/numerics/metrics/statistics_math.h"

namespace ulp::numerics {

void registerStatMeanRel(MetricRegistry& registry) {
  registry.add({.id = "stat.mean_rel",
                .label = "Mean rel",
                .formula = "|mean v - mean r| / (||r|| / sqrt(n)), of recorded means and norms",
                .unit = MetricUnit::Percent,
                .order = 302,
                .ofStatistics = [](const TensorStatistics& r, const TensorStatistics& v) {
                  return meanRel(r, v);
                }});
}

}  // namespace ulp::numerics
