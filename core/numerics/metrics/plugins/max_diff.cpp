#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

void registerMaxDiff(MetricRegistry& registry) {
  registry.add({.id = "max_diff",
                .label = "Max |d|",
                .formula = "max |d|, d = v - r over elements finite in both",
                .order = 40,
                .value = [](const Moments& m) {
                  return m.compared == 0 ? kUndefined : m.maxAbsoluteDifference;
                }});
}

}  // namespace ulp::numerics
