#include <algorithm>
#include <cmath>

#include "core/numerics/metrics/metric.h"
#include "core/numerics/metrics/statistics_math.h"

namespace ulp::numerics {

void registerStatRmsBound(MetricRegistry& registry) {
  registry.add(
      {.id = "stat.rms_bound",
       .label = "RMS rel, at least",
       .formula = "max(norm_rel, mean_rel) of recorded statistics: no RMS rel can be below it",
       .unit = MetricUnit::Percent,
       .order = 300,
       .ofStatistics = [](const TensorStatistics& r, const TensorStatistics& v) {
         const double norm = normRel(r, v);
         const double mean = meanRel(r, v);
         return std::isnan(mean) ? norm : std::isnan(norm) ? mean : std::max(norm, mean);
       }});
}

}  // namespace ulp::numerics
