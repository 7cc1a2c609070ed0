#include "core/numerics/metrics/metric.h"

#include <algorithm>
#include <utility>

namespace ulp::numerics {

void MetricRegistry::add(Metric metric) {
  const auto place = std::ranges::upper_bound(m_metrics, metric.order, {}, &Metric::order);
  m_metrics.insert(place, std::move(metric));
}

std::optional<std::size_t> MetricRegistry::indexOf(std::string_view id) const {
  const auto found = std::ranges::find(m_metrics, id, &Metric::id);
  const auto index = static_cast<std::size_t>(found - m_metrics.begin());
  return found == m_metrics.end() ? std::nullopt : std::optional(index);
}

MetricRegistry builtinMetrics() {
  MetricRegistry registry;
  registerBuiltin(registry);
  return registry;
}

MetricRegistry elementMetrics() {
  MetricRegistry ofElements;
  const MetricRegistry registry = builtinMetrics();
  for (const Metric& metric : registry.all()) {
    if (metric.value != nullptr && !metric.isOfDumps) {
      ofElements.add(metric);
    }
  }
  return ofElements;
}

}  // namespace ulp::numerics
