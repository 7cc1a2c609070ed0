#include <fmt/format.h>

#include "core/json/writer.h"
#include "core/report/contents/export_selection.h"
#include "core/report/formats/format.h"
#include "core/tensors/formats/gguf/llama_in_gguf.h"

/// The JSON that Netron shows beside an open model: numbers by name of a node or tensor.
namespace ulp::report {

namespace {

/// A name ends at its first line for Netron.
std::string oneLine(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

class Attachment {
 public:
  explicit Attachment(const Report& report) {
    m_json.beginObject();
    m_json.field("signature", "netron:attachment");
    m_json.key("metadata");
    m_json.beginArray();
    describe("compared model", report.model.name);
    describe("compared with", report.reference);
    describe("compared by", "Ulpscope " + report.provenance.ulpscopeVersion);
    m_json.endArray();
    m_json.key("metrics");
    m_json.beginArray();
  }

  void add(const Run& run, const Comparison& row, const SelectedMetric& metric) {
    const Site& site = row.site;
    const std::string name = nameOf(run, site, metric);
    const double value = row.metrics.at(metric.column);
    if (isOfParameters(site.pass)) {
      put("tensor", site.name, name, value);
      put("value", site.name, name, value);
    }
    // Netron names tensors in few formats (neither in safetensors nor in GGUF): the node has the
    // numbers of its parameters, too.
    const std::string& module = site.module.empty() ? site.name : site.module;
    put("node", module, name, value);
    if (const auto gguf = tensors::llamaNameInGguf(module)) {
      put("node", *gguf, name, value);
    }
  }

  [[nodiscard]] std::string text() && {
    m_json.newLine(0);
    m_json.endArray();
    m_json.endObject();
    return std::move(m_json).take() + "\n";
  }

 private:
  void describe(std::string_view name, const std::string& value) {
    if (!value.empty()) {
      put("model", "", name, value);
    }
  }

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

  template <class Value>
  void put(std::string_view kind,
           std::string_view target,
           std::string_view name,
           const Value& value) {
    m_json.newLine(1);
    m_json.beginObject();
    m_json.field("kind", kind);
    m_json.field("target", oneLine(target));
    m_json.field("name", name);
    m_json.field("value", value);
    m_json.endObject();
  }

  json::Writer m_json;
};

Result<std::string> netronReport(const Report& report, const ExportOptions& options) {
  const auto selection = ULP_TRY(selectAllTensors(report, options));
  Attachment attachment(report);
  const std::vector<SelectedMetric> metrics = readableMetrics(selection);
  for (const Run* run : selection.variants) {
    for (const Comparison* row : selection.rows(*run)) {
      for (const SelectedMetric& metric : metrics) {
        attachment.add(*run, *row, metric);
      }
    }
  }
  return std::move(attachment).text();
}

}  // namespace

void registerNetron(FormatRegistry& registry) {
  registry.add({.id = "netron",
                .title = "Attachment for Netron",
                .extension = ".attachment.json",
                .windowOrder = 70,
                .exportReport = netronReport});
}

}  // namespace ulp::report
