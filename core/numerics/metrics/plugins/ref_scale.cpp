#include <cmath>

#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

void registerRefScale(MetricRegistry& registry) {
  registry.add({.id = "ref_scale",
                .label = "Ref scale",
                .formula = "sqrt(mean r^2) over elements finite in both",
                .order = 20,
                .value = [](const Moments& m) {
                  return std::sqrt(meanOf(m.sumSquaredReference, m.compared));
                }});
}

}  // namespace ulp::numerics
