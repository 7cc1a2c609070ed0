#include "core/report/exporters/exporter.h"

#include <algorithm>

namespace ulp::report {

void ExporterRegistry::add(Exporter exporter) {
  m_exporters.push_back(std::move(exporter));
}

const Exporter* ExporterRegistry::find(std::string_view id) const {
  const auto found = std::find_if(m_exporters.begin(),
                                  m_exporters.end(),
                                  [&](const Exporter& exporter) { return exporter.id == id; });
  return found == m_exporters.end() ? nullptr : &*found;
}

ExporterRegistry builtinExporters() {
  ExporterRegistry registry;
  registerBuiltin(registry);
  return registry;
}

}  // namespace ulp::report
