#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

void registerMeanAbsDiff(MetricRegistry& registry) {
  registry.add(
      {.id = "mean_abs_diff",
       .label = "Mean |d|",
       .formula = "mean |d|, d = v - r over elements finite in both",
       .order = 30,
       .value = [](const Moments& m) { return meanOf(m.sumAbsoluteDifference, m.compared); }});
}

}  // namespace ulp::numerics
