#include "core/numerics/metrics/metric.h"

namespace ulp::numerics {

void registerWithinFiveThousandths(MetricRegistry& registry) {
  registry.add({
      .id = "within.five_thousandths",
      .label = "Within 0.5 %",
      .formula = "share of the compared elements with |d| < 0.005 |r|; of r = 0 those with d = 0",
      .unit = MetricUnit::Percent,
      .scale = MetricScale::Linear,
      .better = Better::Higher,
      .order = 323,
      .isOfDumps = true,
  });
}

}  // namespace ulp::numerics
