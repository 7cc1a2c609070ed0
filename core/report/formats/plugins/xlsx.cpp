#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/text/format_number.h"
#include "core/report/contents/export_selection.h"
#include "core/report/contents/report_tables.h"
#include "core/report/contents/sample_columns.h"
#include "core/report/formats/format.h"
#include "core/report/formats/xlsx_book.h"
#include "core/report/summary/noise_floor.h"
#include "core/report/summary/provenance_line.h"
#include "core/report/summary/run_changes.h"
#include "core/report/summary/summary.h"
#include "core/report/tables/format_table.h"
#include "core/report/tables/number_column.h"

namespace ulp::report {
namespace {

constexpr double kNameWidth = 34;
constexpr double kNumberWidth = 13;

/// A row of a summary and what it is called.
struct NamedRow {
  std::string name;
  SummaryRow row;
};

void writeSummaryRow(XlsxSheet& sheet,
                     const NamedRow& named,
                     const SelectedMetric& metric,
                     const std::vector<std::size_t>& columns) {
  sheet.text(named.name);
  for (const std::size_t column : columns) {
    sheet.number(named.row.cells[column].value, metric.unit);
  }
  sheet.endRow();
}

/// Below a row of means, half of their 95 % intervals.
void writeIntervals(XlsxSheet& sheet,
                    const NamedRow& named,
                    const SelectedMetric& metric,
                    const std::vector<std::size_t>& columns) {
  sheet.text(named.name + " ±");
  for (const std::size_t column : columns) {
    const SummaryCell& cell = named.row.cells[column];
    sheet.number(halfInterval(cell.spread, cell.samples), metric.unit);
  }
  sheet.endRow();
}

bool hasIntervals(const SummaryRow& row) {
  return std::ranges::any_of(row.cells, [](const SummaryCell& cell) { return cell.samples > 1; });
}

std::vector<NamedRow> selectedRows(const Report& report,
                                   const ExportSelection& selection,
                                   const SelectedMetric& metric) {
  std::vector<NamedRow> rows;
  for (SummaryRow& row : summarise(report, metric.id)) {
    if (selection.hasVariant(row.run)) {
      const bool isFloor = report.findRun(row.run)->role == RunRole::Floor;
      std::string name = isFloor ? "noise floor: " + floorLabel(row.run) : row.run;
      rows.push_back({std::move(name), std::move(row)});
    }
  }
  return rows;
}

/// Places in summaryColumns() that the sheet shows; which tensors there are is the same for each
/// metric.
std::vector<std::size_t> selectedColumns(const std::vector<NamedRow>& rows,
                                         const ExportSelection& selection) {
  std::vector<std::size_t> columns = shownColumns(
      rows, [](const NamedRow& named) -> const auto& { return named.row.cells; });
  std::erase_if(columns, [&](std::size_t column) {
    return !selection.hasPass(summaryColumns()[column].pass);
  });
  return columns;
}

void writeSummary(XlsxSheet& sheet, const Report& report, const ExportSelection& selection) {
  const std::vector<SelectedMetric> metrics = summaryMetrics(selection);
  std::vector<std::vector<NamedRow>> rows;
  rows.reserve(metrics.size());
  for (const SelectedMetric& metric : metrics) {
    rows.push_back(selectedRows(report, selection, metric));
  }
  const std::vector<std::size_t> columns =
      rows.empty() ? std::vector<std::size_t>() : selectedColumns(rows.front(), selection);
  sheet.setWidth(0, kNameWidth);
  sheet.header("metric and variant");
  std::size_t width = 1;
  for (const std::size_t i : columns) {
    const SummaryColumn& column = summaryColumns()[i];
    sheet.header(fmt::format("{} {}", summaryGroup(column.pass), column.title));
    sheet.setWidth(width++, kNumberWidth + 6);
  }
  sheet.endRow();
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    sheet.section(metrics[i].label);
    sheet.endRow();
    for (const NamedRow& named : rows[i]) {
      writeSummaryRow(sheet, named, metrics[i], columns);
      if (hasIntervals(named.row)) {
        writeIntervals(sheet, named, metrics[i], columns);
      }
    }
  }
  sheet.freezeHeader(1);
}

std::vector<std::string> tensorHeaders(const ExportSelection& selection,
                                       const SampleColumns& extra) {
  std::vector<std::string> headers{"run",
                                   "tensor",
                                   "module",
                                   "layer",
                                   "level",
                                   "pass",
                                   "shape",
                                   "reference dtype",
                                   "variant dtype",
                                   "elements",
                                   "compared"};
  for (const SelectedMetric& metric : selection.metrics) {
    headers.push_back(metric.label);
  }
  for (const char* run : {"reference", "variant"}) {
    for (const char* kind : {"NaN", "+Inf", "-Inf"}) {
      headers.push_back(fmt::format("{} {}", run, kind));
    }
  }
  for (const SampleColumn& column : extra.columns()) {
    headers.push_back(column.label);
  }
  return headers;
}

void writeTensorRow(XlsxSheet& sheet,
                    const Run& run,
                    const Comparison& row,
                    const ExportSelection& selection,
                    const SampleColumns& extra) {
  const Site& site = row.site;
  sheet.text(run.name);
  sheet.text(site.name);
  sheet.text(site.module);
  sheet.number(site.layer, numerics::MetricUnit::None);
  sheet.text(std::string(toString(site.level)));
  sheet.text(std::string(toString(site.pass)));
  sheet.text(shapeText(row.shape));
  sheet.text(row.referenceDType);
  sheet.text(row.variantDType);
  sheet.count(row.count);
  sheet.count(row.compared);
  for (const SelectedMetric& metric : selection.metrics) {
    sheet.number(row.metrics.at(metric.column), metric.unit);
  }
  for (const auto& counts : {row.referenceNonFinite, row.variantNonFinite}) {
    sheet.count(counts.nan);
    sheet.count(counts.positiveInfinity);
    sheet.count(counts.negativeInfinity);
  }
  const std::vector<double> values = extra.values(run, row);
  for (std::size_t i = 0; i < values.size(); ++i) {
    sheet.number(values[i], extra.columns()[i].unit);
  }
  sheet.endRow();
}

void writeTensors(XlsxSheet& sheet, const Report& report, const ExportSelection& selection) {
  const SampleColumns extra(report, selection);
  const std::vector<std::string> headers = tensorHeaders(selection, extra);
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const bool isName = i == 1 || i == 2;
    sheet.setWidth(i, isName ? kNameWidth : kNumberWidth);
    sheet.header(headers[i]);
  }
  sheet.endRow();
  for (const Run* run : selection.variants) {
    for (const Comparison* row : selection.rows(*run)) {
      writeTensorRow(sheet, *run, *row, selection, extra);
    }
  }
  sheet.filterAll(headers.size());
  sheet.freezeHeader(2);
}

void writeRuns(XlsxSheet& sheet, const ExportSelection& selection) {
  const std::vector<std::string> headers{
      "run", "status", "loss", "seconds", "peak bytes", "changes", "error"};
  for (std::size_t i = 0; i < headers.size(); ++i) {
    sheet.setWidth(i, i == 0 || i > 4 ? kNameWidth : kNumberWidth);
    sheet.header(headers[i]);
  }
  sheet.endRow();
  for (const Run* run : selection.runs) {
    sheet.text(run->name);
    sheet.text(std::string(toString(run->status)));
    const auto number = [&](bool isKnown, double value) {
      isKnown ? sheet.number(value, numerics::MetricUnit::None) : sheet.text("");
    };
    number(run->hasLoss, run->loss);
    number(run->hasLoss || run->seconds > 0, run->seconds);
    const bool hasPeak = run->hasLoss || run->peakBytes > 0;
    hasPeak ? sheet.count(run->peakBytes) : sheet.text("");
    sheet.text(changesOf(*run));
    sheet.text(run->error);
    sheet.endRow();
  }
  sheet.freezeHeader(1);
}

/// A table of data as it is; the sheet of a report has one line of headings.
void writeData(XlsxSheet& sheet, const DataTable& table) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    sheet.setWidth(i, i == 0 ? kNameWidth : kNumberWidth + 6);
    sheet.header(fullHeading(table.columns[i]));
  }
  sheet.endRow();
  for (const std::vector<DataCell>& row : table.rows) {
    for (const DataCell& cell : row) {
      if (const double* number = std::get_if<double>(&cell)) {
        sheet.number(*number, numerics::MetricUnit::None);
      } else {
        sheet.text(exactCell(cell));
      }
    }
    sheet.endRow();
  }
  sheet.freezeHeader(1);
}

/// Nothing where the report does not say.
std::string countText(std::uint64_t count) {
  return count == 0 ? std::string() : std::to_string(count);
}

void writeProvenance(XlsxSheet& sheet, const Report& report) {
  const Provenance& provenance = report.provenance;
  const std::vector<std::pair<std::string, std::string>> facts{
      {"model", report.model.name},
      {"family", report.model.family},
      {"layers", countText(static_cast<std::uint64_t>(report.model.layers))},
      {"parameters", countText(report.model.parameters)},
      {"weights digest", provenance.weightsDigest},
      {"token digest", provenance.tokenDigest},
      {"input", provenance.input},
      {"samples", std::to_string(provenance.samples)},
      {"amount", inputAmount(report)},
      {"device", provenance.device},
      {"threads", countText(static_cast<std::uint64_t>(provenance.threads))},
      {"Ulpscope", provenance.ulpscopeVersion},
      {"LibTorch", provenance.torchVersion},
      {"started", provenance.startedAt},
      {"seconds", provenance.seconds > 0 ? formatExact(provenance.seconds) : std::string()},
      {"schema", std::string(kSchema)}};
  sheet.setWidth(0, kNumberWidth + 4);
  sheet.setWidth(1, 3 * kNameWidth);
  sheet.header("fact");
  sheet.header("value");
  sheet.endRow();
  for (const auto& [name, value] : facts) {
    sheet.text(name);
    sheet.text(value);
    sheet.endRow();
  }
  sheet.freezeHeader(1);
}

Result<std::string> xlsxReport(const Report& report, const ExportOptions& options) {
  const auto selection = ULP_TRY(selectAllTensors(report, options));
  std::size_t rows = 1;
  for (const Run* run : selection.variants) {
    rows += selection.rows(*run).size();
  }
  return makeXlsxBook(rows, [&](XlsxBook& book) {
    writeSummary(book.addSheet("Summary"), report, selection);
    writeTensors(book.addSheet("Tensors"), report, selection);
    const DataTable logProbabilities = logProbabilityData(report, selection);
    if (!logProbabilities.rows.empty()) {
      writeData(book.addSheet("Log-probabilities"), logProbabilities);
    }
    writeRuns(book.addSheet("Runs"), selection);
    writeProvenance(book.addSheet("Provenance"), report);
  });
}

constexpr std::size_t kMeasuredRows = 500;
constexpr std::size_t kNarrowest = 8;
constexpr std::size_t kWidest = 48;

/// Characters that a column needs: its heading, and the first rows.
double columnWidth(const DataTable& table, std::size_t column, bool isNumber) {
  std::size_t width = std::max(kNarrowest, columnHeading(table.columns[column]).size() + 2);
  for (std::size_t row = 0; !isNumber && row < std::min(kMeasuredRows, table.rows.size()); ++row) {
    width = std::max(width, exactCell(table.rows[row][column]).size() + 2);
  }
  return static_cast<double>(std::min(kWidest, width));
}

void writeCell(XlsxSheet& sheet, const DataCell& cell) {
  const double* number = std::get_if<double>(&cell);
  if (number == nullptr) {
    sheet.text(exactCell(cell));
  } else if (!std::isfinite(*number)) {
    sheet.text(std::isnan(*number) ? "NaN" : *number > 0 ? "+Inf" : "−Inf");
  } else if (*number >= 0 && *number == std::floor(*number) && *number < 1e15) {
    sheet.count(static_cast<std::uint64_t>(*number));
  } else {
    sheet.number(*number, numerics::MetricUnit::None);
  }
}

void fillSheet(XlsxSheet& sheet, const DataTable& table) {
  const bool hasGroups = std::ranges::any_of(
      table.columns, [](const DataColumn& column) { return !column.group.empty(); });
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    sheet.setWidth(i, columnWidth(table, i, isNumberColumn(table, i)));
  }
  if (hasGroups) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string& group = table.columns[i].group;
      sheet.header(i == 0 || table.columns[i - 1].group != group ? group : "");
    }
    sheet.endRow();
  }
  for (const DataColumn& column : table.columns) {
    sheet.header(columnHeading(column));
  }
  sheet.endRow();
  for (const std::vector<DataCell>& row : table.rows) {
    for (const DataCell& cell : row) {
      writeCell(sheet, cell);
    }
    sheet.endRow();
  }
  sheet.filterAll(table.columns.size(), hasGroups ? 1 : 0);
  sheet.freezeHeader(1, hasGroups ? 2 : 1);
}

Result<std::string> xlsxTable(const DataTable& table) {
  if (table.columns.empty()) {
    return fail(ErrorCode::InvalidArgument, "a sheet without columns cannot be written");
  }
  return makeXlsxBook(table.rows.size() + 2, [&table](XlsxBook& book) {
    fillSheet(book.addSheet("Table"), table);
    XlsxSheet& about = book.addSheet("About");
    about.setWidth(0, static_cast<double>(2 * kWidest));
    about.header("What this is");
    about.endRow();
    about.text(table.title);
    about.endRow();
    if (!table.source.empty()) {
      about.text(table.source);
      about.endRow();
    }
  });
}

}  // namespace

void registerXlsx(FormatRegistry& registry) {
  registry.add({.id = "xlsx",
                .title = "Excel workbook",
                .extension = ".xlsx",
                .binary = true,
                .exportReport = xlsxReport,
                .exportTable = xlsxTable});
}

}  // namespace ulp::report
