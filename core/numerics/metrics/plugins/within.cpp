#include "core/numerics/metrics/metric.h"

namespace ulp::numerics {
namespace {

/// Comparisons of dumps fill it in, from RelativeShares.
Metric within(const char* id, const char* label, const std::string& bound, int order) {
  return {.id = id,
          .label = label,
          .formula = "share of the compared elements with |d| < " + bound +
                     " |r|; of r = 0 those with d = 0",
          .unit = MetricUnit::Percent,
          .scale = MetricScale::Linear,
          .better = Better::Higher,
          .order = order,
          .isOfDumps = true};
}

}  // namespace

void registerWithin(MetricRegistry& registry) {
  registry.add(within("within.thousandth", "Within 0.1 %", "0.001", 322));
  registry.add(within("within.five_thousandths", "Within 0.5 %", "0.005", 323));
}

}  // namespace ulp::numerics
