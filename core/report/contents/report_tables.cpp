#include "core/report/contents/report_tables.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>
#include <utility>

#include "core/base/kernels/kernel_name.h"
#include "core/report/contents/sample_columns.h"
#include "core/report/model/log_probability_gap.h"
#include "core/report/summary/noise_floor.h"
#include "core/report/summary/provenance_line.h"
#include "core/report/tables/number_column.h"

namespace ulp::report {
namespace {

std::vector<DataColumn> columnsFor(double epsilon) {
  std::vector<DataColumn> columns = columnsOf("variant; tokens; not finite");
  const auto add = [&](const std::string& headings, const std::string& group) {
    std::ranges::move(columnsOf(headings, group), std::back_inserter(columns));
  };
  add(fmt::format("mean; ±; mean of |δ|; RMS; max; RMS rel, %; above {:g}, %; KL, estimated",
                  epsilon),
      "difference, nats");
  add("slope; correlation; RMS left", "over the reference's");
  add("same top token, %", "");
  return columns;
}

std::vector<DataCell> rowOf(std::string name, const LogProbabilityError& error) {
  std::vector<DataCell> row;
  row.emplace_back(std::move(name));
  row.emplace_back(static_cast<double>(error.tokens));
  row.emplace_back(static_cast<double>(error.nonFinite));
  for (const double value : {error.mean,
                             error.interval,
                             error.meanAbsolute,
                             error.rms,
                             error.largest,
                             error.relativeRms * 100,
                             error.shareAbove * 100,
                             error.kl,
                             error.slope,
                             error.correlation,
                             error.residualRms,
                             error.topAgreement() * 100}) {
    row.push_back(numberCell(value, isNoneFinite(error)));
  }
  return row;
}

std::string unitText(numerics::MetricUnit unit) {
  switch (unit) {
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

double inUnit(double value, numerics::MetricUnit unit) {
  return unit == numerics::MetricUnit::Percent ? value * 100 : value;
}

void addText(std::vector<DataCell>& cells, std::string text) {
  cells.push_back(text.empty() ? DataCell() : DataCell(std::move(text)));
}

void addLayer(std::vector<DataCell>& cells, const Site& site) {
  cells.push_back(site.layer < 0 ? DataCell() : DataCell(static_cast<double>(site.layer)));
}

/// What follows the columns of a metric: half of the 95 % interval where a study took several
/// samples, and 1 where the noise floor covers the number.
class StatisticColumns {
 public:
  explicit StatisticColumns(const Report& report)
      : m_hasSamples(
            std::ranges::any_of(report.runs, [](const Run& run) { return run.samples > 1; })),
        m_hasFloor(hasNoiseFloor(report)) {}

  [[nodiscard]] bool hasFloor() const { return m_hasFloor; }
  void addTitles(std::vector<DataColumn>& columns, const DataColumn& value) const {
    if (m_hasSamples) {
      columns.push_back({value.title + " ±", value.unit, value.group});
    }
    if (m_hasFloor) {
      columns.push_back({value.title + " within floor", "", value.group});
    }
  }
  /// `half` is NaN where there is no interval.
  void addValues(std::vector<DataCell>& cells,
                 double half,
                 bool isCovered,
                 numerics::MetricUnit unit) const {
    if (m_hasSamples) {
      cells.push_back(numberCell(inUnit(half, unit)));
    }
    if (m_hasFloor) {
      cells.emplace_back(isCovered ? 1.0 : 0.0);
    }
  }
  /// For a run that has no number here.
  void addGaps(std::vector<DataCell>& cells) const {
    cells.resize(cells.size() + (m_hasSamples ? 1 : 0) + (m_hasFloor ? 1 : 0));
  }

 private:
  bool m_hasSamples;
  bool m_hasFloor;
};

std::vector<DataCell> tensorCells(const Run& run,
                                  const Comparison& row,
                                  const ExportSelection& selection,
                                  const SampleColumns& statistics) {
  std::vector<DataCell> cells;
  cells.reserve(11 + selection.metrics.size() + statistics.columns().size());
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
    cells.push_back(metricCell(metric, row));
  }
  cells.emplace_back(static_cast<double>(row.variantNonFinite.total()));
  const std::vector<double> values = statistics.values(run, row);
  for (std::size_t i = 0; i < values.size(); ++i) {
    cells.push_back(numberCell(inUnit(values[i], statistics.columns()[i].unit)));
  }
  return cells;
}

/// The kernels that ran for a row, where runs say so: those of the reference and of the variant.
class KernelColumns {
 public:
  KernelColumns(const Report& report, const ExportSelection& selection)
      : m_reference(report.findRun(report.reference)) {
    m_areThere = std::ranges::any_of(selection.variants,
                                     [](const Run* run) { return !run->kernels.isEmpty(); });
  }

  void addTitles(std::vector<DataColumn>& columns) const {
    if (m_areThere) {
      std::ranges::move(columnsOf("reference kernels; variant kernels"),
                        std::back_inserter(columns));
    }
  }
  void addCells(std::vector<DataCell>& cells, const Run& run, const Site& site) const {
    if (!m_areThere) {
      return;
    }
    for (const Run* each : {m_reference, &run}) {
      addText(cells,
              each == nullptr
                  ? std::string()
                  : fmt::format(
                        "{}",
                        fmt::join(shortKernelNames(each->kernels.of(site.pass, site.name)), ", ")));
    }
  }

 private:
  const Run* m_reference;
  bool m_areThere;
};

/// What the cells of a depth table need of the report.
struct DepthParts {
  const StatisticColumns& statistics;
  const NoiseFloor& floor;
};

void addDepthCells(std::vector<DataCell>& cells,
                   const Run& run,
                   const Comparison& row,
                   const SelectedMetric& metric,
                   const DepthParts& parts) {
  const double value = row.metrics.at(metric.column);
  cells.push_back(numberCell(inUnit(value, metric.unit), row.isAllNonFinite()));
  const Spread spread = metric.column < row.spread.size() ? row.spread[metric.column] : Spread{};
  const bool isCovered =
      run.role != RunRole::Floor && parts.floor.covers(row.site, metric.column, value);
  parts.statistics.addValues(cells, halfInterval(spread, run.samples), isCovered, metric.unit);
}

using Place = std::pair<std::string, Pass>;

Place placeOf(const Comparison& row) {
  return {row.site.name, row.site.pass};
}

}  // namespace

std::vector<SummaryRow> selectedRows(std::vector<SummaryRow> rows,
                                     const ExportSelection& selection) {
  std::erase_if(rows, [&](const SummaryRow& row) { return !selection.hasVariant(row.run); });
  return rows;
}

std::vector<std::size_t> selectedColumns(const std::vector<SummaryRow>& rows,
                                         const ExportSelection& selection) {
  std::vector<std::size_t> columns = shownColumns(rows, &SummaryRow::cells);
  std::erase_if(columns, [&](std::size_t column) {
    return !selection.hasPass(summaryColumns()[column].pass);
  });
  return columns;
}

DataTable logProbabilityData(const Report& report, const ExportSelection& selection) {
  DataTable table{"Log-probabilities of the chosen tokens", {}, {}, provenanceLine(report)};
  for (const Run& run : report.runs) {
    const bool isFloor = run.role == RunRole::Floor;
    if (!run.logProbabilities || (!isFloor && !selection.hasVariant(run.name))) {
      continue;
    }
    if (table.columns.empty()) {
      table.columns = columnsFor(run.logProbabilities->epsilon);
    }
    table.rows.push_back(rowOf(isFloor ? floorLabel(run.name) : run.name, *run.logProbabilities));
  }
  return table;
}

DataTable routersData(const Report& report, const ExportSelection& selection) {
  DataTable table{"Experts chosen otherwise than in the reference", {}, {}, provenanceLine(report)};
  for (const Run* run : selection.variants) {
    for (const RouterChoice& router : run->routers) {
      if (table.columns.empty()) {
        table.columns = columnsOf("variant; layer; router; experts; of; tokens; flipped, %");
        std::ranges::move(columnsOf("others; flipped", "error of the output, %"),
                          std::back_inserter(table.columns));
        std::ranges::move(columnsOf("all; flipped", "median margin"),
                          std::back_inserter(table.columns));
      }
      std::vector<DataCell>& cells = table.rows.emplace_back();
      cells.emplace_back(run->name);
      cells.push_back(router.layer < 0 ? DataCell() : DataCell(static_cast<double>(router.layer)));
      cells.emplace_back(router.router);
      for (const std::uint64_t count : {router.chosen, router.experts, router.tokens}) {
        cells.emplace_back(static_cast<double>(count));
      }
      for (const double value : {router.flippedShare() * 100,
                                 router.same.relative() * 100,
                                 router.other.relative() * 100,
                                 medianMargin(router.margins, false),
                                 medianMargin(router.margins, true)}) {
        cells.push_back(numberCell(value));
      }
    }
  }
  return table;
}

DataTable summaryData(const Report& report,
                      const ExportSelection& selection,
                      const SelectedMetric& metric) {
  const std::vector<SummaryRow> all = summarise(report, metric.id);
  const std::vector<double> floor = summaryFloor(all, metric.id);
  const std::vector<SummaryRow> rows = selectedRows(all, selection);
  const std::vector<std::size_t> columns = selectedColumns(rows, selection);
  const StatisticColumns statistics(report);
  DataTable table{"Summary: " + metric.label, columnsOf("variant"), {}, provenanceLine(report)};
  if (statistics.hasFloor()) {
    table.columns.push_back({"noise floor", "", ""});
  }
  for (const std::size_t column : columns) {
    const SummaryColumn& summary = summaryColumns()[column];
    const DataColumn value{
        summary.title, unitText(metric.unit), std::string(summaryGroup(summary.pass))};
    table.columns.push_back(value);
    statistics.addTitles(table.columns, value);
  }
  for (const SummaryRow& row : rows) {
    const bool isFloor = row.role == RunRole::Floor;
    std::vector<DataCell>& cells = table.rows.emplace_back();
    addText(cells, row.run);
    if (statistics.hasFloor()) {
      cells.emplace_back(isFloor ? 1.0 : 0.0);
    }
    for (const std::size_t column : columns) {
      const SummaryCell& cell = row.cells[column];
      cells.push_back(numberCell(inUnit(cell.value, metric.unit), cell.nonFinite > 0));
      statistics.addValues(cells,
                           halfInterval(cell.spread, cell.samples),
                           !isFloor && isWithinFloor(cell, floor, column, metric.id),
                           metric.unit);
    }
  }
  return table;
}

DataTable runsData(const Report& report, const ExportSelection& selection) {
  DataTable table{"Runs",
                  {{"run", "", ""},
                   {"status", "", ""},
                   {"loss", "", ""},
                   {"time", "s", ""},
                   {"peak memory", "bytes", ""},
                   {"changes", "", ""},
                   {"error", "", ""}},
                  {},
                  provenanceLine(report)};
  const bool hasFloor = hasNoiseFloor(report);
  if (hasFloor) {
    table.columns.push_back({"noise floor", "", ""});
  }
  for (const Run* run : selection.runs) {
    const bool isDone = run->status == RunStatus::Finished;
    std::vector<DataCell> cells;
    addText(cells, run->name);
    addText(cells, std::string(toString(run->status)));
    const auto addNumber = [&](bool isKnown, double value) {
      cells.push_back(isDone && isKnown ? DataCell(value) : DataCell());
    };
    addNumber(run->hasLoss, run->loss);
    addNumber(run->seconds > 0, run->seconds);
    addNumber(run->peakBytes > 0, static_cast<double>(run->peakBytes));
    addText(cells, changesOf(*run));
    addText(cells, run->error);
    if (hasFloor) {
      cells.emplace_back(run->role == RunRole::Floor ? 1.0 : 0.0);
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

DataColumn metricColumn(const SelectedMetric& metric) {
  return {metric.label, unitText(metric.unit), ""};
}

DataCell metricCell(const SelectedMetric& metric, const Comparison& row) {
  return numberCell(inUnit(row.metrics.at(metric.column), metric.unit), row.isAllNonFinite());
}

DataTable tensorsData(const Report& report, const ExportSelection& selection) {
  DataTable table{"Tensors",
                  columnsOf("run; tensor; module; layer; pass; shape; reference dtype; variant "
                            "dtype; elements; compared"),
                  {},
                  provenanceLine(report)};
  for (const SelectedMetric& metric : selection.metrics) {
    table.columns.push_back(metricColumn(metric));
  }
  table.columns.push_back({"not finite", "", ""});
  const SampleColumns statistics(report, selection);
  for (const TensorColumn& column : statistics.columns()) {
    table.columns.push_back({column.label, unitText(column.unit), ""});
  }
  const KernelColumns kernels(report, selection);
  kernels.addTitles(table.columns);
  for (const Run* run : selection.variants) {
    for (const Comparison* row : selection.rows(*run)) {
      table.rows.push_back(tensorCells(*run, *row, selection, statistics));
      kernels.addCells(table.rows.back(), *run, row->site);
    }
  }
  return table;
}

DataTable depthData(const Report& report,
                    const ExportSelection& selection,
                    const SelectedMetric& metric) {
  DataTable table{metric.label + " along the depth of the model",
                  columnsOf("tensor; pass; layer"),
                  {},
                  provenanceLine(report)};
  const StatisticColumns statistics(report);
  const NoiseFloor floor(report);
  std::vector<const Comparison*> places;
  std::map<Place, std::map<const Run*, const Comparison*>> found;
  for (const Run* run : selection.variants) {
    const std::string name = run->role == RunRole::Floor ? floorLabel(run->name) : run->name;
    const DataColumn value{name, unitText(metric.unit), metric.label};
    table.columns.push_back(value);
    statistics.addTitles(table.columns, value);
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
    std::vector<DataCell>& cells = table.rows.emplace_back();
    addText(cells, place->site.name);
    addText(cells, std::string(toString(place->site.pass)));
    addLayer(cells, place->site);
    const auto& here = found[placeOf(*place)];
    for (const Run* run : selection.variants) {
      const auto row = here.find(run);
      if (row == here.end()) {
        cells.emplace_back();
        statistics.addGaps(cells);
      } else {
        addDepthCells(cells, *run, *row->second, metric, {statistics, floor});
      }
    }
  }
  return table;
}

}  // namespace ulp::report
