#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

void registerMaxRel(MetricRegistry& registry) {
  registry.add({.id = "max_rel",
                .label = "Max rel",
                .formula = "max |d| / |r| over elements finite in both with r != 0",
                .unit = MetricUnit::Percent,
                .order = 50,
                .value = [](const Moments& m) {
                  // Squares of tiny float64 underflow, the largest relative difference does not.
                  return m.sumSquaredReference == 0 && m.maxRelativeDifference == 0
                             ? kUndefined
                             : m.maxRelativeDifference;
                }});
}

}  // namespace ulp::numerics
