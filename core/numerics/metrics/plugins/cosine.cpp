#include <cmath>

#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

void registerCosine(MetricRegistry& registry) {
  registry.add({.id = "cosine",
                .label = "Cosine",
                .formula = "sum r v / sqrt(sum r^2 * sum v^2) over elements finite in both",
                .scale = MetricScale::Linear,
                .better = Better::Higher,
                .isDrawnFromOne = true,
                .order = 60,
                .value = [](const Moments& m) {
                  const double product = m.sumSquaredReference * m.sumSquaredCandidate;
                  // The root of the product is exactly 1 for equal tensors, but float64 tensors can
                  // leave its range.
                  const double norms =
                      std::isnormal(product)
                          ? std::sqrt(product)
                          : std::sqrt(m.sumSquaredReference) * std::sqrt(m.sumSquaredCandidate);
                  return ratioOf(m.sumProduct, norms);
                }});
}

}  // namespace ulp::numerics
