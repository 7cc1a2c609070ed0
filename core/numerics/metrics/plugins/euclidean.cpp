#include <cmath>

#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

void registerEuclidean(MetricRegistry& registry) {
  registry.add({.id = "euclidean",
                .label = "Euclidean",
                .formula = "sqrt(sum d^2)",
                .order = 321,
                .isOfDumps = true,
                .value = [](const Moments& m) {
                  return m.compared == 0 ? kUndefined : std::sqrt(m.sumSquaredDifference);
                }});
}

}  // namespace ulp::numerics
