#include "core/report/exporters/export_selection.h"

namespace ulp::report {

void registerJson(ExporterRegistry& registry);

namespace {

Run selectedRun(const Run& run, const ExportSelection& selection) {
  Run result = run;
  result.comparisons.clear();
  for (const Comparison* row : selection.rows(run)) {
    Comparison kept = *row;
    kept.metrics.clear();
    kept.spread.clear();
    for (const SelectedMetric& metric : selection.metrics) {
      kept.metrics.push_back(row->metrics.at(metric.column));
      if (!row->spread.empty()) {
        kept.spread.push_back(row->spread.at(metric.column));
      }
    }
    result.comparisons.push_back(std::move(kept));
  }
  return result;
}

/// The report with fewer rows, runs and metrics; the reference stays, comparisons are with it.
Report selectedReport(const Report& report, const ExportSelection& selection) {
  Report result = report;
  result.runs.clear();
  result.metrics.clear();
  for (const SelectedMetric& metric : selection.metrics) {
    result.metrics.push_back({metric.id});
  }
  const Run* reference = report.findRun(report.reference);
  if (reference != nullptr) {
    result.runs.push_back(*reference);
  }
  for (const Run* run : selection.runs) {
    if (run != reference) {
      result.runs.push_back(selectedRun(*run, selection));
    }
  }
  return result;
}

Result<std::string> writeJson(const Report& report, const ExportOptions& options) {
  const auto selection = ULP_TRY(selectAllTensors(report, options));
  const bool isWhole = options.passes.empty() && options.metrics.empty() && options.runs.empty();
  return toJson(isWhole ? report : selectedReport(report, selection));
}

}  // namespace

void registerJson(ExporterRegistry& registry) {
  registry.add(
      {.id = "json", .title = "Ulpscope report", .extension = ".json", .write = writeJson});
}

}  // namespace ulp::report
