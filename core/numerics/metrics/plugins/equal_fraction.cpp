#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

void registerEqualFraction(MetricRegistry& registry) {
  registry.add(
      {.id = "equal_fraction",
       .label = "Equal",
       .formula = "share of all elements with v == r or the same non-finite value",
       .unit = MetricUnit::Percent,
       .scale = MetricScale::Linear,
       .better = Better::Higher,
       .order = 80,
       .value = [](const Moments& m) { return meanOf(static_cast<double>(m.equal), m.count); }});
}

}  // namespace ulp::numerics
