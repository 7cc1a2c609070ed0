#include <cmath>

#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

void registerSqnrDb(MetricRegistry& registry) {
  registry.add({.id = "sqnr_db",
                .label = "SQNR",
                .formula = "signal to quantisation noise, 10 log10(sum r^2 / sum d^2)",
                .unit = MetricUnit::Decibel,
                .scale = MetricScale::Linear,
                .better = Better::Higher,
                .order = 70,
                .value = [](const Moments& m) {
                  if (std::isnan(ratioOf(m.sumSquaredDifference, m.sumSquaredReference))) {
                    return kUndefined;
                  }
                  // Infinite for equal tensors.
                  return 10 * std::log10(m.sumSquaredReference / m.sumSquaredDifference);
                }});
}

}  // namespace ulp::numerics
