#include <cmath>

#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

void registerRmsDiff(MetricRegistry& registry) {
  registry.add({.id = "rms_diff",
                .label = "RMS diff",
                .formula = "sqrt(mean d^2), d = v - r over elements finite in both",
                .order = 10,
                .value = [](const Moments& m) {
                  return std::sqrt(meanOf(m.sumSquaredDifference, m.compared));
                }});
}

}  // namespace ulp::numerics
