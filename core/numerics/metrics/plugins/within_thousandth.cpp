#include "core/numerics/metrics/metric.h"

namespace ulp::numerics {

void registerWithinThousandth(MetricRegistry& registry) {
  registry.add({
      .id = "within.thousandth",
      .label = "Within 0.1 %",
      .formula = "share of the compared elements with |d| < 0.001 |r|; of r = 0 those with d = 0",
      .unit = MetricUnit::Percent,
      .scale = MetricScale::Linear,
      .better = Better::Higher,
      .order = 322,
      .isOfDumps = true,
  });
}

}  // namespace ulp::numerics
