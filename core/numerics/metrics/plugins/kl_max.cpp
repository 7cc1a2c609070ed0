#include "core/numerics/metrics/metric.h"

namespace ulp::numerics {

void registerKlMax(MetricRegistry& registry) {
  registry.add({
      .id = "kl.max",
      .label = "KL, largest",
      .formula = "largest over tokens of KL(softmax r || softmax v) in nats, of logits",
      .unit = MetricUnit::None,
      .order = 325,
      .isOfDumps = true,
  });
}

}  // namespace ulp::numerics
