#include <cmath>

#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

void registerMaxRelRegularized(MetricRegistry& registry) {
  registry.add({.id = "max_rel_regularized",
                .label = "Max rel, Fast-LLM",
                .formula =
                    "max_diff / sqrt(ref_scale^2 + 1e-8): what Fast-LLM's evaluate_precision calls "
                    "max_rel; relative to the scale of the tensor, not of the element",
                .unit = MetricUnit::Percent,
                .order = 201,
                .isOfDumps = true,
                .value = [](const Moments& m) {
                  const double squared = meanOf(m.sumSquaredReference, m.compared);
                  return ratioOf(m.maxAbsoluteDifference,
                                 std::sqrt(squared + kFastLlmFloor * kFastLlmFloor));
                }});
}

}  // namespace ulp::numerics
