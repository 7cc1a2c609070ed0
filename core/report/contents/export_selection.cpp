#include "core/report/contents/export_selection.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/list_of.h"

namespace ulp::report {
namespace {

/// What a report is read by: of elements, of recorded statistics, of one dump alone. The first list
/// counts of which it has any.
using MetricLists = std::vector<std::vector<std::string_view>>;

MetricLists mainMetrics() {
  return {{"rms_rel", "rms_diff", "max_diff", "cosine", "ulp.mean", "ulp.max"},
          {"stat.rms_bound", "stat.norm_rel", "stat.mean_rel", "stat.max_rel", "stat.min_rel"}};
}

MetricLists summaryMetricLists() {
  return {{"rms_rel", "rms_diff"},
          {"stat.rms_bound", "stat.max_rel"},
          {"recorded.norm", "recorded.largest"}};
}

std::string titleOf(const std::string& label, numerics::MetricUnit unit) {
  switch (unit) {
    case numerics::MetricUnit::Percent:
      return label + " %";
    case numerics::MetricUnit::Decibel:
      return label + " dB";
    case numerics::MetricUnit::None:
    case numerics::MetricUnit::Ulp:
      return label;
  }
  return label;
}

SelectedMetric describe(const numerics::MetricRegistry& registry,
                        const std::string& id,
                        std::size_t column) {
  const auto known = registry.indexOf(id);
  if (!known) {
    return {id, id, id, numerics::MetricUnit::None, column};
  }
  const numerics::Metric& metric = registry.all()[*known];
  const bool isHigherBetter = metric.better == numerics::Better::Higher;
  const bool isPartOfOne = isHigherBetter && metric.unit != numerics::MetricUnit::Decibel;
  return {id,
          metric.label,
          titleOf(metric.label, metric.unit),
          metric.unit,
          column,
          isPartOfOne,
          isHigherBetter};
}

Result<> selectMetrics(const Report& report,
                       const std::vector<std::string>& ids,
                       ExportSelection& selection) {
  const numerics::MetricRegistry registry = numerics::builtinMetrics();
  const std::vector<std::string> all = listOf(report.metrics, &MetricColumn::id);
  for (const std::string& id : ids.empty() ? all : ids) {
    const int column = report.metricIndex(id);
    if (column < 0) {
      return fail(
          ErrorCode::InvalidArgument,
          fmt::format("unknown metric '{}'; the report holds {}", id, fmt::join(all, ", ")));
    }
    selection.metrics.push_back(describe(registry, id, static_cast<std::size_t>(column)));
  }
  selection.hasNamedMetrics = !ids.empty();
  return {};
}

Result<> selectRuns(const Report& report,
                    const std::vector<std::string>& names,
                    ExportSelection& selection) {
  if (names.empty()) {
    selection.runs = listOf(report.runs, [](const Run& run) { return &run; });
  }
  for (const std::string& name : names) {
    selection.runs.push_back(report.findRun(name));
    if (selection.runs.back() == nullptr) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("unknown run '{}'; the report holds {}",
                              name,
                              fmt::join(listOf(report.runs, &Run::name), ", ")));
    }
  }
  for (const Run* run : selection.runs) {
    if (!run->comparisons.empty()) {
      selection.variants.push_back(run);
      selection.variantNames.insert(run->name);
    }
  }
  return {};
}

std::vector<SelectedMetric> named(const ExportSelection& selection, const MetricLists& lists) {
  std::vector<SelectedMetric> found;
  for (std::size_t i = 0; i < lists.size() && found.empty() && !selection.hasNamedMetrics; ++i) {
    for (const std::string_view id : lists[i]) {
      const auto metric = std::ranges::find(selection.metrics, id, &SelectedMetric::id);
      if (metric != selection.metrics.end()) {
        found.push_back(*metric);
      }
    }
  }
  return found.empty() ? selection.metrics : found;
}

/// Those that rows were compared in; all of them where there is no row yet.
std::vector<Pass> passesOf(const Report& report) {
  std::vector<Pass> passes;
  for (const Pass pass : kPasses) {
    const bool isThere = std::ranges::any_of(report.runs, [pass](const Run& run) {
      return std::ranges::any_of(run.comparisons,
                                 [pass](const Comparison& row) { return row.site.pass == pass; });
    });
    if (isThere) {
      passes.push_back(pass);
    }
  }
  return passes.empty() ? std::vector<Pass>(kPasses.begin(), kPasses.end()) : passes;
}

}  // namespace

bool ExportSelection::hasPass(Pass pass) const {
  return std::ranges::find(passes, pass) != passes.end();
}

bool ExportSelection::hasVariant(std::string_view name) const {
  return variantNames.contains(name);
}

std::vector<const Comparison*> ExportSelection::rows(const Run& run) const {
  std::vector<const Comparison*> rows;
  for (const Comparison& row : run.comparisons) {
    if (hasPass(row.site.pass)) {
      rows.push_back(&row);
    }
  }
  return rows;
}

Result<ExportSelection> selectForExport(const Report& report, const ExportOptions& options) {
  ExportSelection selection;
  ULP_TRY(selectMetrics(report, options.metrics, selection));
  ULP_TRY(selectRuns(report, options.runs, selection));
  selection.passes = options.passes;
  if (selection.passes.empty()) {
    selection.passes = passesOf(report);
  }
  return selection;
}

Result<ExportSelection> selectAllTensors(const Report& report, const ExportOptions& options) {
  if (options.isSummaryOnly) {
    return fail(ErrorCode::InvalidArgument,
                "this format always holds all tensors; a summary alone is written as text, md, "
                "html or latex");
  }
  return selectForExport(report, options);
}

std::vector<SelectedMetric> readableMetrics(const ExportSelection& selection) {
  return named(selection, mainMetrics());
}

std::vector<SelectedMetric> summaryMetrics(const ExportSelection& selection) {
  return named(selection, summaryMetricLists());
}

}  // namespace ulp::report
