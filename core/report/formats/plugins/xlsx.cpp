#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/list_of.h"
#include "core/base/stop_pace.h"
#include "core/base/text/format_number.h"
#include "core/report/contents/export_selection.h"
#include "core/report/contents/position_tables.h"
#include "core/report/contents/report_tables.h"
#include "core/report/contents/sample_columns.h"
#include "core/report/formats/format.h"
#include "core/report/formats/xlsx_book.h"
#include "core/report/summary/noise_floor.h"
#include "core/report/summary/provenance_line.h"
#include "core/report/summary/summary.h"
#include "core/report/tables/data_table.h"
#include "core/report/tables/number_column.h"

namespace ulp::report {
namespace {

constexpr double kNameWidth = 34;
constexpr double kNumberWidth = 13;

/// A column of a sheet of a report.
struct SheetColumn {
  std::string title;
  double width = kNumberWidth;
  numerics::MetricUnit unit = numerics::MetricUnit::None;
  bool isCount = false;  ///< whole numbers from 0
};

void writeHeader(XlsxSheet& sheet, const std::vector<SheetColumn>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    sheet.setWidth(i, columns[i].width);
    sheet.header(columns[i].title);
  }
  sheet.endRow();
}

void writeRow(XlsxSheet& sheet,
              const std::vector<SheetColumn>& columns,
              const std::vector<DataCell>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const double* number = std::get_if<double>(&cells[i]);
    if (number == nullptr) {
      sheet.text(exactCell(cells[i]));
    } else if (columns[i].isCount && *number >= 0 && *number < 0x1p64) {
      sheet.count(static_cast<std::uint64_t>(*number));
    } else {
      sheet.number(*number, columns[i].unit);
    }
  }
  sheet.endRow();
}

void writeSheet(XlsxSheet& sheet,
                const std::vector<SheetColumn>& columns,
                const std::vector<std::vector<DataCell>>& rows) {
  writeHeader(sheet, columns);
  for (const std::vector<DataCell>& cells : rows) {
    writeRow(sheet, columns, cells);
  }
  sheet.freezeHeader(1);
}

bool hasIntervals(const SummaryRow& row) {
  return std::ranges::any_of(row.cells, [](const SummaryCell& cell) { return cell.samples > 1; });
}

std::string nameOfRow(const SummaryRow& row) {
  const bool isFloor = row.role == RunRole::Floor;
  return isFloor ? "noise floor: " + floorLabel(row.run) : row.run;
}

void writeSummary(XlsxSheet& sheet, const Report& report, const ExportSelection& selection) {
  const std::vector<SelectedMetric> metrics = summaryMetrics(selection);
  const auto rows = listOf(metrics, [&](const SelectedMetric& metric) {
    return selectedRows(summarise(report, metric.id), selection);
  });
  // Which tensors there are is the same for each metric.
  const std::vector<std::size_t> columns =
      rows.empty() ? std::vector<std::size_t>() : selectedColumns(rows.front(), selection);
  std::vector<SheetColumn> shown{{"metric and variant", kNameWidth}};
  for (const std::size_t i : columns) {
    const SummaryColumn& column = summaryColumns()[i];
    shown.push_back(
        {fmt::format("{} {}", summaryGroup(column.pass), column.title), kNumberWidth + 6});
  }
  writeHeader(sheet, shown);
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    sheet.section(metrics[i].label);
    sheet.endRow();
    for (const SummaryRow& row : rows[i]) {
      const auto write = [&](const std::string& name, const auto& valueOf) {
        sheet.text(name);
        for (const std::size_t column : columns) {
          const double value = valueOf(row.cells[column]);
          // Without elements that are NaN or infinite there is no number, and none to be one.
          if (std::isnan(value) && row.cells[column].nonFinite == 0) {
            sheet.skip();
          } else {
            sheet.number(value, metrics[i].unit);
          }
        }
        sheet.endRow();
      };
      const std::string name = nameOfRow(row);
      write(name, [](const SummaryCell& cell) { return cell.value; });
      if (hasIntervals(row)) {
        write(name + " ±",
              [](const SummaryCell& cell) { return halfInterval(cell.spread, cell.samples); });
      }
    }
  }
  sheet.freezeHeader(1);
}

Result<> writeTensors(XlsxSheet& sheet, const Report& report, const ExportSelection& selection) {
  const TensorColumns tensors(report, selection);
  std::vector<SheetColumn> columns;
  for (const TensorColumn& column : tensors.columns()) {
    const bool isName = column.id == "name" || column.id == "module";
    columns.push_back(
        {column.label, isName ? kNameWidth : kNumberWidth, column.unit, column.isCount});
  }
  writeHeader(sheet, columns);
  const auto placeOf = [&](std::string_view id) {
    const auto& all = tensors.columns();
    return static_cast<std::size_t>(std::ranges::find(all, id, &TensorColumn::id) - all.begin());
  };
  const std::size_t count = placeOf("count");
  const std::size_t compared = placeOf("compared");
  ULP_TRY(tensors.forEachRow(shapeText, [&](std::vector<DataCell> cells) {
    const bool isAllNonFinite = cells[compared] == DataCell(0.0) && cells[count] != DataCell(0.0);
    for (DataCell& cell : cells) {
      if (const double* number = std::get_if<double>(&cell)) {
        cell = numberCell(*number, isAllNonFinite);
      }
    }
    writeRow(sheet, columns, cells);
  }));
  sheet.filterAll(columns.size());
  sheet.freezeHeader(2);
  return {};
}

void writeRuns(XlsxSheet& sheet, const ExportSelection& selection) {
  std::vector<std::vector<DataCell>> rows;
  const auto cellIf = [](bool isKnown, double value) {
    return isKnown ? DataCell(value) : DataCell();
  };
  for (const Run* run : selection.runs) {
    rows.push_back({run->name,
                    std::string(toString(run->status)),
                    cellIf(run->hasLoss, run->loss),
                    cellIf(run->hasLoss || run->seconds > 0, run->seconds),
                    cellIf(run->hasLoss || run->peakBytes > 0, static_cast<double>(run->peakBytes)),
                    changesOf(*run),
                    run->error});
  }
  writeSheet(sheet,
             {{"run", kNameWidth},
              {"status"},
              {"loss"},
              {"seconds"},
              {.title = "peak bytes", .isCount = true},
              {"changes", kNameWidth},
              {"error", kNameWidth}},
             rows);
}

/// A table of data as it is; the sheet of a report has one line of headings.
void writeData(XlsxSheet& sheet, const DataTable& table) {
  std::vector<SheetColumn> columns;
  for (const DataColumn& column : table.columns) {
    columns.push_back({fullHeading(column), columns.empty() ? kNameWidth : kNumberWidth + 6});
  }
  writeSheet(sheet, columns, table.rows);
}

/// Nothing where the report does not say.
std::string countText(std::uint64_t count) {
  return count == 0 ? std::string() : std::to_string(count);
}

void writeProvenance(XlsxSheet& sheet, const Report& report) {
  const Provenance& provenance = report.provenance;
  const std::vector<std::vector<DataCell>> facts{
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
      {"device facts", deviceFactsText(report)},
      {"attention kernels", attentionText(report)},
      {"threads", countText(static_cast<std::uint64_t>(provenance.threads))},
      {"Ulpscope", provenance.ulpscopeVersion},
      {"engine", provenance.engine},
      {"LibTorch", provenance.torchVersion},
      {"started", provenance.startedAt},
      {"seconds", provenance.seconds > 0 ? formatExact(provenance.seconds) : std::string()},
      {"schema", std::string(kSchema)}};
  writeSheet(sheet, {{"fact", kNumberWidth + 4}, {"value", 3 * kNameWidth}}, facts);
}

Result<std::string> xlsxReport(const Report& report, const ExportOptions& options) {
  const auto selection = ULP_TRY(selectAllTensors(report, options));
  std::size_t rows = 1;
  for (const Run* run : selection.variants) {
    rows += selection.rows(*run).size();
  }
  return makeXlsxBook(rows, [&](XlsxBook& book) -> Result<> {
    writeSummary(book.addSheet("Summary"), report, selection);
    ULP_TRY(writeTensors(book.addSheet("Tensors"), report, selection));
    const DataTable logProbabilities = logProbabilityData(report, selection);
    if (!logProbabilities.rows.empty()) {
      writeData(book.addSheet("Log-probabilities"), logProbabilities);
    }
    if (const DataTable routers = routersData(report, selection); !routers.rows.empty()) {
      writeData(book.addSheet("Experts"), routers);
    }
    if (const DataTable positions = positionsData(report, selection, options);
        !positions.rows.empty()) {
      writeData(book.addSheet("Positions"), positions);
    }
    writeRuns(book.addSheet("Runs"), selection);
    writeProvenance(book.addSheet("Provenance"), report);
    return {};
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
  } else if (*number >= 0 && *number == std::floor(*number) && *number < 1e15) {
    sheet.count(static_cast<std::uint64_t>(*number));
  } else {
    sheet.number(*number, numerics::MetricUnit::None);
  }
}

Result<> fillSheet(XlsxSheet& sheet, const DataTable& table) {
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
  constexpr std::size_t kPacedRows = 256;
  StopPace pace(kPacedRows, table.rows.size());
  for (const std::vector<DataCell>& row : table.rows) {
    if (pace.isStopped()) {
      return stopped();
    }
    for (const DataCell& cell : row) {
      writeCell(sheet, cell);
    }
    sheet.endRow();
  }
  sheet.filterAll(table.columns.size(), hasGroups ? 1 : 0);
  sheet.freezeHeader(1, hasGroups ? 2 : 1);
  return {};
}

Result<std::string> xlsxTable(const DataTable& table) {
  if (table.columns.empty()) {
    return fail(ErrorCode::InvalidArgument, "a sheet without columns cannot be written");
  }
  return makeXlsxBook(table.rows.size() + 2, [&table](XlsxBook& book) -> Result<> {
    ULP_TRY(fillSheet(book.addSheet("Table"), table));
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
    return {};
  });
}

}  // namespace

void registerXlsx(FormatRegistry& registry) {
  registry.add({.id = "xlsx",
                .title = "Excel workbook",
                .extension = ".xlsx",
                .binary = true,
                .windowOrder = 10,
                .exportReport = xlsxReport,
                .exportTable = xlsxTable});
}

}  // namespace ulp::report
