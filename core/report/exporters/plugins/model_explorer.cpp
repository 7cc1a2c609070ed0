#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/report/exporters/export_selection.h"

/// Node data of Google's Model Explorer: one number a node, with its colour.
namespace ulp::report {

void registerModelExplorer(ExporterRegistry& registry);

namespace {

using nlohmann::ordered_json;

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
  std::vector<std::string> names;
  for (const Run* run : selection.variants) {
    names.push_back(run->name);
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("a file of node data holds one run; choose one with --variant: {}",
                          fmt::join(names, ", ")));
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

ordered_json resultOf(double value) {
  if (std::isfinite(value)) {
    return {{"value", value}};
  }
  const char* word = std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
  return {{"value", word}, {"bgColor", kNoNumber}, {"textColor", "#ffffff"}};
}

/// One number a node: of a node that is named again the last one.
class Results {
 public:
  void put(std::string key, double value) {
    const auto [place, isNew] = m_places.try_emplace(key, m_numbers.size());
    if (isNew) {
      m_numbers.emplace_back(std::move(key), value);
    } else {
      m_numbers[place->second].second = value;
    }
  }

  [[nodiscard]] ordered_json json() const {
    auto results = ordered_json::object();
    // Members are put behind each other: looking for a name passes all that are there.
    auto& members = results.get_ref<ordered_json::object_t&>();
    for (const auto& [key, value] : m_numbers) {
      members.emplace_back(key, resultOf(value));
    }
    return results;
  }

 private:
  std::vector<std::pair<std::string, double>> m_numbers;
  std::unordered_map<std::string, std::size_t> m_places;
};

/// Upper ends of eight classes, each with its colour: by magnitude where a metric is an error, as
/// errors span decades; in equal steps where more is better.
ordered_json thresholdsOf(const std::vector<double>& values, bool isHigherBetter) {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const double value : values) {
    if (std::isfinite(value) && (isHigherBetter || value > 0)) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  }
  ordered_json thresholds = ordered_json::array();
  if (least > most) {
    thresholds.push_back({{"value", 0}, {"bgColor", kColors.front()}});
    return thresholds;
  }
  const auto steps = static_cast<double>(kColors.size());
  for (std::size_t i = 0; i < kColors.size(); ++i) {
    const double part = static_cast<double>(i + 1) / steps;
    const bool isLast = i + 1 == kColors.size();
    const double end = isLast           ? most
                       : isHigherBetter ? least + (most - least) * part
                                        : least * std::pow(most / least, part);
    thresholds.push_back(
        {{"value", end}, {"bgColor", kColors.at(isHigherBetter ? kColors.size() - 1 - i : i)}});
  }
  return thresholds;
}

Result<std::string> writeNodeData(const Report& report, const ExportOptions& options) {
  const auto selection = ULP_TRY(selectAllTensors(report, options));
  const auto shown = ULP_TRY(chooseShown(selection, options));
  Results results;
  std::vector<double> values;
  const bool hasRows = shown.run != nullptr && !selection.metrics.empty();
  for (const Comparison* row :
       hasRows ? selection.rows(*shown.run) : std::vector<const Comparison*>()) {
    if (row->site.pass != shown.pass) {
      continue;
    }
    const double value = row->metrics.at(shown.metric.column);
    values.push_back(value);
    for (std::string& key : keysOf(row->site)) {
      results.put(std::move(key), value);
    }
  }
  const std::string name =
      shown.run == nullptr
          ? report.model.name
          : fmt::format("{}: {} ({})", shown.run->name, shown.metric.id, toString(shown.pass));
  const ordered_json data{{"name", name},
                          {"results", results.json()},
                          {"thresholds", thresholdsOf(values, shown.metric.isHigherBetter)}};
  return data.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

void registerModelExplorer(ExporterRegistry& registry) {
  registry.add({.id = "model-explorer",
                .title = "Node data for Model Explorer",
                .extension = ".node_data.json",
                .ofOneRun = true,
                .write = writeNodeData});
}

}  // namespace ulp::report
