#include "core/numerics/metrics/metric.h"

#include <algorithm>
#include <utility>

namespace ulp::numerics {

void MetricRegistry::add(Metric metric) {
  const auto place = std::upper_bound(
      m_metrics.begin(), m_metrics.end(), metric, [](const Metric& a, const Metric& b) {
        return a.order < b.order;
      });
  m_metrics.insert(place, std::move(metric));
}

std::optional<std::size_t> MetricRegistry::indexOf(std::string_view id) const {
  const auto found = std::find_if(
      m_metrics.begin(), m_metrics.end(), [&](const Metric& metric) { return metric.id == id; });
  if (found == m_metrics.end()) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - m_metrics.begin());
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
