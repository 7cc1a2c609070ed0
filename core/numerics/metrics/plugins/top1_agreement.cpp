#include "core/numerics/metrics/metric.h"

namespace ulp::numerics {

void registerTop1Agreement(MetricRegistry& registry) {
  registry.add({
      .id = "top1_agreement",
      .label = "Top-1 agreement",
      .formula = "share of tokens whose most likely next token is the same, of logits",
      .unit = MetricUnit::Percent,
      .scale = MetricScale::Linear,
      .better = Better::Higher,
      .order = 326,
      .isOfDumps = true,
  });
}

}  // namespace ulp::numerics
