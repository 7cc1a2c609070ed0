#include "core/numerics/metrics/metric.h"
#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

void registerUlpMean(MetricRegistry& registry) {
  registry.add(
      {.id = "ulp.mean",
       .label = "Mean ULP",
       .formula = "mean |d| / ulp(r), ulp of the coarser format (Muller et al. 2018, 2.3.2)",
       .unit = MetricUnit::Ulp,
       .order = 90,
       .value = [](const Moments& m) { return meanOf(m.sumUlp, m.compared); }});
}

}  // namespace ulp::numerics
