#include <cmath>

#include "core/numerics/metrics/metric.h"
#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {
namespace {

/// Fast-LLM's rms_eps: an absolute floor under the scale of the reference.
constexpr double kFloor = 1e-4;

}  // namespace

void registerRmsRelRegularized(MetricRegistry& registry);

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
         return m.compared == 0
                    ? kUndefined
                    : std::sqrt(ratioOf(m.sumSquaredDifference,
                                        m.sumSquaredReference + kFloor * kFloor * compared));
       }});
}

}  // namespace ulp::numerics
