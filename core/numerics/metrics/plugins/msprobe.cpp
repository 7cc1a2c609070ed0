#include <cmath>

#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {
namespace {

/// A recorded number's difference relative to itself, as msprobe scales it.
template <double TensorStatistics::*kNumber>
Metric relative(const char* id, const char* label, const std::string& formula, int order) {
  return {.id = id,
          .label = label,
          .formula = formula,
          .unit = MetricUnit::Percent,
          .order = order,
          .isOfDumps = true,
          .ofStatistics = [](const TensorStatistics& r, const TensorStatistics& v) {
            return relativeTo(std::abs(v.*kNumber - r.*kNumber), std::abs(r.*kNumber));
          }};
}

std::string formulaOf(const std::string& name, const std::string& plural) {
  return "|" + name + " v - " + name + " r| / |" + name + " r|, of recorded " + plural +
         ", as msprobe scales it; large wherever " + name + " r is near 0";
}

}  // namespace

void registerMsprobe(MetricRegistry& registry) {
  using Recorded = TensorStatistics;
  registry.add(relative<&Recorded::max>(
      "msprobe.max_rel", "MaxRelativeErr", formulaOf("max", "maxima"), 330));
  registry.add(relative<&Recorded::min>(
      "msprobe.min_rel", "MinRelativeErr", formulaOf("min", "minima"), 331));
  registry.add(relative<&Recorded::mean>(
      "msprobe.mean_rel", "MeanRelativeErr", formulaOf("mean", "means"), 332));
}

}  // namespace ulp::numerics
