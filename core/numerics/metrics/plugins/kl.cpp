#include "core/numerics/metrics/metric.h"

namespace ulp::numerics {

/// Comparisons of logits fill them in.
void registerKl(MetricRegistry& registry) {
  registry.add({.id = "kl.mean",
                .label = "KL, mean",
                .formula = "mean over tokens of KL(softmax r || softmax v) in nats, of logits",
                .order = 324,
                .isOfDumps = true});
  registry.add({.id = "kl.max",
                .label = "KL, largest",
                .formula = "largest over tokens of KL(softmax r || softmax v) in nats, of logits",
                .order = 325,
                .isOfDumps = true});
}

}  // namespace ulp::numerics
