#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

void registerSymmetricDiff(MetricRegistry& registry) {
  registry.add(
      {.id = "symmetric_diff",
       .label = "Symmetric diff",
       .formula = "1 - 2 sum rv / (sum r^2 + sum v^2), as the dump comparator of SGLang has it",
       .order = 320,
       .isOfDumps = true,
       .value = [](const Moments& m) {
         const double energy = m.sumSquaredReference + m.sumSquaredCandidate;
         return 1 - ratioOf(2 * m.sumProduct, energy);
       }});
}

}  // namespace ulp::numerics
