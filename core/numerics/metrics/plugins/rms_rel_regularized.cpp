#include <cmath>

#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

void registerRmsRelRegularized(MetricRegistry& registry) {
  registry.add(
      {.id = "rms_rel_regularized",
       .label = "RMS rel, Fast-LLM",
       .formula = "rms_diff / sqrt(ref_scale^2 + 1e-8): what Fast-LLM's evaluate_precision "
                  "calls rms_rel; small tensors look better than they are",
       .unit = MetricUnit::Percent,
       .order = 200,
       .value = [](const Moments& m) {
         const auto compared = static_cast<double>(m.compared);
         return m.compared == 0 ? kUndefined
                                : std::sqrt(ratioOf(m.sumSquaredDifference,
                                                    m.sumSquaredReference +
                                                        kFastLlmFloor * kFastLlmFloor * compared));
       }});
}

}  // namespace ulp::numerics
