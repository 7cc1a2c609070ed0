#include "core/numerics/metrics/metric.h"

namespace ulp::numerics {

/// Neither elements nor statistics give it: comparisons of dumps fill it in.
void registerChecksumEqual(MetricRegistry& registry) {
  registry.add({.id = "checksum_equal",
                .label = "Checksum",
                .formula = "1 where the recorded checksums are equal, else 0",
                .scale = MetricScale::Linear,
                .better = Better::Higher,
                .order = 310});
}

}  // namespace ulp::numerics
