#include <cmath>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/report/exporters/export_selection.h"
#include "core/tensors/gguf_llama_names.h"

/// The JSON that Netron shows beside an open model: numbers by name of a node or tensor.
namespace ulp::report {

void registerNetron(ExporterRegistry& registry);

namespace {

using nlohmann::ordered_json;

/// A name ends at its first line for Netron.
std::string oneLine(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

ordered_json valueOf(double value) {
  if (std::isfinite(value)) {
    return value;
  }
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

class Attachment {
 public:
  void describe(std::string_view name, const std::string& value) {
    if (!value.empty()) {
      m_metadata.push_back({{"kind", "model"}, {"target", ""}, {"name", name}, {"value", value}});
    }
  }

  void add(const Run& run, const Comparison& row, const SelectedMetric& metric) {
    const Site& site = row.site;
    const std::string name = nameOf(run, site, metric);
    const ordered_json value = valueOf(row.metrics.at(metric.column));
    if (isOfParameters(site.pass)) {
      put("tensor", site.name, name, value);
      put("value", site.name, name, value);
    }
    // Tensors have no names in every format of Netron: the node has the numbers of its parameters,
    // too.
    const std::string& module = site.module.empty() ? site.name : site.module;
    put("node", module, name, value);
    if (const auto gguf = tensors::llamaNameInGguf(module)) {
      put("node", *gguf, name, value);
    }
  }

  [[nodiscard]] std::string text() && {
    const ordered_json attachment{{"signature", "netron:attachment"},
                                  {"metadata", std::move(m_metadata)},
                                  {"metrics", std::move(m_metrics)}};
    return attachment.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  }

 private:
  /// "bf16 rms_rel", "bf16 rms_rel, backward [q]", "bf16 rms_rel of decoder.3".
  static std::string nameOf(const Run& run, const Site& site, const SelectedMetric& metric) {
    std::string name = fmt::format("{} {}", oneLine(run.name), metric.id);
    if (isOfParameters(site.pass) && site.name.starts_with(site.module + ".")) {
      name += " of " + oneLine(site.name.substr(site.module.size() + 1));
    } else if (site.name != site.module && site.level == Level::Layer) {
      name += " of " + oneLine(site.name);
    }
    if (site.pass != Pass::Forward) {
      name += fmt::format(", {}", toString(site.pass));
    }
    const std::size_t bracket = site.name.find('[');
    return bracket == std::string::npos ? name : name + " " + oneLine(site.name.substr(bracket));
  }

  void put(std::string_view kind,
           std::string_view target,
           const std::string& name,
           const ordered_json& value) {
    m_metrics.push_back(
        {{"kind", kind}, {"target", oneLine(target)}, {"name", name}, {"value", value}});
  }

  ordered_json m_metadata = ordered_json::array();
  ordered_json m_metrics = ordered_json::array();
};

Result<std::string> write(const Report& report, const ExportOptions& options) {
  const auto selection = selectAllTensors(report, options);
  if (!selection) {
    return tl::unexpected<Error>(selection.error());
  }
  Attachment attachment;
  attachment.describe("compared model", report.model.name);
  attachment.describe("compared with", report.reference);
  attachment.describe("compared by", "Ulpscope " + report.provenance.ulpscopeVersion);
  const std::vector<SelectedMetric> metrics = readableMetrics(*selection);
  for (const Run* run : selection->variants) {
    for (const Comparison* row : selection->rows(*run)) {
      for (const SelectedMetric& metric : metrics) {
        attachment.add(*run, *row, metric);
      }
    }
  }
  return std::move(attachment).text();
}

}  // namespace

void registerNetron(ExporterRegistry& registry) {
  registry.add({.id = "netron",
                .title = "Attachment for Netron",
                .extension = ".attachment.json",
                .write = write});
}

}  // namespace ulp::report
