#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/list_of.h"
#include "core/json/dump.h"
#include "core/json/value.h"
#include "core/report/contents/export_selection.h"
#include "core/report/formats/format.h"

/// Node data of Google's Model Explorer: one number a node, with its colour.
namespace ulp::report {

namespace {

/// From small errors to large ones, as ColorBrewer's YlOrRd with eight classes.
constexpr std::array<const char*, 8> kColors{
    "#ffffcc", "#ffeda0", "#fed976", "#feb24c", "#fd8d3c", "#fc4e2a", "#e31a1c", "#b10026"};
constexpr const char* kNoNumber = "#8e24aa";

/// What one file shows.
struct Shown {
  const Run* run = nullptr;  ///< null: the report has no comparison
  SelectedMetric metric;
  Pass pass = Pass::Forward;
};

Result<const Run*> onlyRun(const ExportSelection& selection) {
  if (selection.variants.size() < 2) {
    return selection.variants.empty() ? nullptr : selection.variants.front();
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("a file of node data holds one run; choose a variant (--variant): {}",
                          fmt::join(listOf(selection.variants, &Run::name), ", ")));
}

Result<Shown> chooseShown(const ExportSelection& selection, const ExportOptions& options) {
  const auto run = ULP_TRY(onlyRun(selection));
  if (options.metrics.size() > 1 || options.passes.size() > 1) {
    return fail(ErrorCode::InvalidArgument,
                "a file of node data holds one metric and one pass; name one of each");
  }
  Shown shown{.run = run};
  const std::vector<SelectedMetric> metrics = summaryMetrics(selection);
  if (!metrics.empty()) {
    shown.metric = metrics.front();
  }
  shown.pass = options.passes.empty() ? Pass::Forward : options.passes.front();
  return shown;
}

/// A parameter's input of a graph that torch.export made (placeholder_naming_pass of
/// torch/_export/utils.py): lower case, everything but letters and digits a line, and what looks
/// like the module itself taken off.
std::string placeholderOf(std::string_view parameter) {
  constexpr std::string_view kSelf = "self_";
  if (parameter.starts_with(kSelf)) {
    parameter.remove_prefix(kSelf.size());
  }
  std::string name = "p_";
  for (const char letter : parameter) {
    const bool isUpper = letter >= 'A' && letter <= 'Z';
    const bool isKept = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
    name += isUpper ? static_cast<char>(letter - 'A' + 'a') : isKept ? letter : '_';
  }
  return name;
}

/// Under which node ids a row may be found: nodes called as modules are, the row's own name, and
/// for what belongs to a parameter the parameter's input.
std::vector<std::string> keysOf(const Site& site) {
  std::vector<std::string> keys{site.name};
  if (isOfParameters(site.pass)) {
    keys.push_back(placeholderOf(site.name));
  } else if (!site.module.empty() && site.module != site.name &&
             site.name.find('[') == std::string::npos) {
    keys.push_back(site.module);
  }
  return keys;
}

json::Object resultOf(double value) {
  if (std::isfinite(value)) {
    return {{"value", value}};
  }
  const char* word = std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
  return {{"value", word}, {"bgColor", kNoNumber}, {"textColor", "#ffffff"}};
}

/// Upper ends of eight classes, each with its colour: by magnitude where a metric is an error, as
/// errors span decades; in equal steps where more is better.
json::Array thresholdsOf(const std::vector<double>& values, bool isHigherBetter) {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const double value : values) {
    if (std::isfinite(value) && (isHigherBetter || value > 0)) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  }
  json::Array thresholds;
  if (least > most) {
    thresholds.emplace_back(json::Object{{"value", 0}, {"bgColor", kColors.front()}});
    return thresholds;
  }
  const auto steps = static_cast<double>(kColors.size());
  for (std::size_t i = 0; i < kColors.size(); ++i) {
    const double part = static_cast<double>(i + 1) / steps;
    const bool isLast = i + 1 == kColors.size();
    const double end = isLast           ? most
                       : isHigherBetter ? least + (most - least) * part
                                        : least * std::pow(most / least, part);
    thresholds.emplace_back(json::Object{
        {"value", end}, {"bgColor", kColors.at(isHigherBetter ? kColors.size() - 1 - i : i)}});
  }
  return thresholds;
}

Result<std::string> nodeDataReport(const Report& report, const ExportOptions& options) {
  const auto selection = ULP_TRY(selectAllTensors(report, options));
  const auto shown = ULP_TRY(chooseShown(selection, options));
  json::Object results;  // of a node that is named again the last number counts
  std::vector<double> values;
  const bool hasRows = shown.run != nullptr && !selection.metrics.empty();
  for (const Comparison* row :
       hasRows ? selection.rows(*shown.run) : std::vector<const Comparison*>()) {
    if (row->site.pass != shown.pass) {
      continue;
    }
    const double value = row->metrics.at(shown.metric.column);
    values.push_back(value);
    for (const std::string& key : keysOf(row->site)) {
      results[key] = resultOf(value);
    }
  }
  const std::string name =
      shown.run == nullptr
          ? report.model.name
          : fmt::format("{}: {} ({})", shown.run->name, shown.metric.id, toString(shown.pass));
  const json::Object data{{"name", name},
                          {"results", std::move(results)},
                          {"thresholds", thresholdsOf(values, shown.metric.isHigherBetter)}};
  return json::dump(data, {.indent = 2}) + "\n";
}

}  // namespace

void registerModelExplorer(FormatRegistry& registry) {
  registry.add({.id = "model-explorer",
                .title = "Node data for Model Explorer",
                .extension = ".node_data.json",
                .ofOneRun = true,
                .windowOrder = 60,
                .exportReport = nodeDataReport});
}

}  // namespace ulp::report
