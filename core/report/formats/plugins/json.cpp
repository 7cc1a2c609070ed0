#include "core/json/record.h"
#include "core/report/contents/export_selection.h"
#include "core/report/formats/format.h"

namespace ulp::report {
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

Result<std::string> jsonReport(const Report& report, const ExportOptions& options) {
  const auto selection = ULP_TRY(selectAllTensors(report, options));
  const bool isWhole = options.passes.empty() && options.metrics.empty() && options.runs.empty();
  return toJson(isWhole ? report : selectedReport(report, selection));
}

void appendCell(json::Writer& json, const DataCell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    json.value(*text);
  } else if (const double* number = std::get_if<double>(&cell)) {
    json.value(*number);
  } else {
    json.null();
  }
}

constexpr std::array kColumnFields{json::field<&DataColumn::title>("title"),
                                   json::field<&DataColumn::unit>("unit"),
                                   json::field<&DataColumn::group>("group")};

Result<std::string> jsonTable(const DataTable& table) {
  json::Writer json;
  const auto writeColumn = [&](const DataColumn& column) {
    json::writeFields(json, column, kColumnFields);
  };
  const auto writeRow = [&](const std::vector<DataCell>& row) {
    json::writeItems(json, row, [&](const DataCell& cell) { appendCell(json, cell); });
  };
  json.value([&] {
    json.field("title", table.title);
    if (!table.source.empty()) {
      json.field("source", table.source);
    }
    json.objects("columns", table.columns, writeColumn, {.items = 2});
    json.list("rows", table.rows, writeRow, {.items = 2});
  });
  return std::move(json).take() + "\n";
}

}  // namespace

void registerJson(FormatRegistry& registry) {
  registry.add({.id = "json",
                .title = "Ulpscope report",
                .extension = ".json",
                .windowOrder = 50,
                .tableTitle = "JSON",
                .exportReport = jsonReport,
                .exportTable = jsonTable});
}

}  // namespace ulp::report
