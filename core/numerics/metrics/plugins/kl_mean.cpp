#include "core/numerics/metrics/metric.h"

namespace ulp::numerics {

void registerKlMean(MetricRegistry& registry) {
  registry.add({
      .id = "kl.mean",
      .label = "KL, mean",
      .formula = "mean over tokens of KL(softmax r || softmax v) in nats, of logits",
      .unit = MetricUnit::None,
      .order = 324,
      .isOfDumps = true,
  });
}

}  // namespace ulp::numerics
