#include "core/numerics/metrics/metric.h"
#include "core/numerics/metrics/statistics_math.h"

namespace ulp::numerics {

void registerStatNormRel(MetricRegistry& registry) {
  registry.add({.id = "stat.norm_rel",
                .label = "Norm rel",
                .formula = "| ||v|| - ||r|| | / ||r||, of recorded norms",
                .unit = MetricUnit::Percent,
                .order = 301,
                .ofStatistics = [](const TensorStatistics& r, const TensorStatistics& v) {
                  return normRel(r, v);
                }});
}

}  // namespace ulp::numerics
