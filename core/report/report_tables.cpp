#include "core/report/report_tables.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <utility>

#include "core/report/exporters/number_column.h"
#include "core/report/summary.h"

namespace ulp::report {
namespace {

std::string unitOf(const SelectedMetric& metric) {
  switch (metric.unit) {
    case numerics::MetricUnit::Percent:
      return "%";
    case numerics::MetricUnit::Decibel:
      return "dB";
    case numerics::MetricUnit::Ulp:
      return "ULP";
    case numerics::MetricUnit::None:
      break;
  }
  return "";
}

/// NaN is a gap, unless there was something that is not finite.
void addNumber(std::vector<DataCell>& cells,
               double value,
               const SelectedMetric& metric,
               bool hasNonFinite) {
  if (std::isnan(value) && !hasNonFinite) {
    cells.emplace_back();
  } else {
    cells.emplace_back(metric.unit == numerics::MetricUnit::Percent ? value * 100 : value);
  }
}

void addText(std::vector<DataCell>& cells, std::string text) {
  if (text.empty()) {
    cells.emplace_back();
  } else {
    cells.emplace_back(std::move(text));
  }
}

void addLayer(std::vector<DataCell>& cells, const Site& site) {
  if (site.layer < 0) {
    cells.emplace_back();
  } else {
    cells.emplace_back(static_cast<double>(site.layer));
  }
}

bool isAllNonFinite(const Comparison& row) {
  return row.compared == 0 && row.count != 0;
}

std::vector<DataCell> tensorCells(const Run& run,
                                  const Comparison& row,
                                  const ExportSelection& selection) {
  std::vector<DataCell> cells;
  cells.reserve(11 + selection.metrics.size());
  addText(cells, run.name);
  addText(cells, row.site.name);
  addText(cells, row.site.module);
  addLayer(cells, row.site);
  addText(cells, std::string(toString(row.site.pass)));
  addText(cells, shapeText(row.shape));
  addText(cells, row.referenceDType);
  addText(cells, row.variantDType);
  cells.emplace_back(static_cast<double>(row.count));
  cells.emplace_back(static_cast<double>(row.compared));
  for (const SelectedMetric& metric : selection.metrics) {
    addNumber(cells, row.metrics.at(metric.column), metric, isAllNonFinite(row));
  }
  cells.emplace_back(static_cast<double>(row.variantNonFinite.total()));
  return cells;
}

using Place = std::pair<std::string, Pass>;

Place placeOf(const Comparison& row) {
  return {row.site.name, row.site.pass};
}

}  // namespace

DataTable summaryData(const Report& report,
                      const ExportSelection& selection,
                      const SelectedMetric& metric) {
  DataTable table{"Summary: " + metric.label, {{"variant", "", ""}}, {}};
  for (const SummaryColumn& column : summaryColumns()) {
    if (selection.hasPass(column.pass)) {
      table.columns.push_back({column.title, unitOf(metric), std::string(toString(column.pass))});
    }
  }
  for (const SummaryRow& row : summarise(report, metric.id)) {
    if (!selection.hasVariant(row.run)) {
      continue;
    }
    std::vector<DataCell> cells;
    addText(cells, row.run);
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (selection.hasPass(summaryColumns()[i].pass)) {
        addNumber(cells, row.cells[i].value, metric, row.cells[i].nonFinite != 0);
      }
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

DataTable runsData(const ExportSelection& selection) {
  DataTable table{"Runs",
                  {{"run", "", ""},
                   {"status", "", ""},
                   {"loss", "", ""},
                   {"time", "s", ""},
                   {"peak memory", "bytes", ""},
                   {"changes", "", ""},
                   {"error", "", ""}},
                  {}};
  for (const Run* run : selection.runs) {
    const bool isDone = run->status == RunStatus::Finished;
    std::vector<std::string> changes;
    for (const auto& [path, value] : run->overrides) {
      changes.push_back(fmt::format("{}: {}", path, value));
    }
    std::vector<DataCell> cells;
    addText(cells, run->name);
    addText(cells, std::string(toString(run->status)));
    for (const double value : {run->loss, run->seconds, static_cast<double>(run->peakBytes)}) {
      if (isDone) {
        cells.emplace_back(value);
      } else {
        cells.emplace_back();
      }
    }
    addText(cells, fmt::format("{}", fmt::join(changes, ", ")));
    addText(cells, run->error);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

DataTable tensorsData(const ExportSelection& selection) {
  DataTable table;
  table.title = "Tensors";
  for (const char* title : {"run",
                            "tensor",
                            "module",
                            "layer",
                            "pass",
                            "shape",
                            "reference dtype",
                            "variant dtype",
                            "elements",
                            "compared"}) {
    table.columns.push_back({title, "", ""});
  }
  for (const SelectedMetric& metric : selection.metrics) {
    table.columns.push_back({metric.label, unitOf(metric), ""});
  }
  table.columns.push_back({"not finite", "", ""});
  for (const Run* run : selection.variants) {
    for (const Comparison* row : selection.rows(*run)) {
      table.rows.push_back(tensorCells(*run, *row, selection));
    }
  }
  return table;
}

DataTable depthData(const ExportSelection& selection, const SelectedMetric& metric) {
  DataTable table{metric.label + " along the depth of the model",
                  {{"tensor", "", ""}, {"pass", "", ""}, {"layer", "", ""}},
                  {}};
  std::vector<const Comparison*> places;
  std::map<Place, std::map<const Run*, const Comparison*>> found;
  for (const Run* run : selection.variants) {
    table.columns.push_back({run->name, unitOf(metric), metric.label});
    for (const Comparison* row : selection.rows(*run)) {
      if (row->site.level != Level::Layer) {
        continue;
      }
      auto& here = found[placeOf(*row)];
      if (here.empty()) {
        places.push_back(row);
      }
      here[run] = row;
    }
  }
  for (const Comparison* place : places) {
    std::vector<DataCell> cells;
    addText(cells, place->site.name);
    addText(cells, std::string(toString(place->site.pass)));
    addLayer(cells, place->site);
    const auto& here = found[placeOf(*place)];
    for (const Run* run : selection.variants) {
      const auto row = here.find(run);
      if (row == here.end()) {
        cells.emplace_back();
      } else {
        addNumber(
            cells, row->second->metrics.at(metric.column), metric, isAllNonFinite(*row->second));
      }
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace ulp::report
