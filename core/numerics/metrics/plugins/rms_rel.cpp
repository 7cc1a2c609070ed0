#include <cmath>

#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

void registerRmsRel(MetricRegistry& registry) {
  registry.add({.id = "rms_rel",
                .label = "RMS rel",
                .formula = "rms_diff / ref_scale = sqrt(sum d^2 / sum r^2)",
                .unit = MetricUnit::Percent,
                .order = 0,
                .value = [](const Moments& m) {
                  // Of an all-zero reference no relative error exists.
                  return std::sqrt(ratioOf(m.sumSquaredDifference, m.sumSquaredReference));
                }});
}

}  // namespace ulp::numerics
