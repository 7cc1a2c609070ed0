#include <algorithm>
#include <cmath>

#include "core/report/table_writers/format_table.h"
#include "core/report/table_writers/table_writer.h"
#include "core/report/table_writers/xlsx_book.h"

namespace ulp::report {

void registerXlsx(TableWriterRegistry& registry);

namespace {

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
  const bool hasGroups =
      std::any_of(table.columns.begin(), table.columns.end(), [](const DataColumn& column) {
        return !column.group.empty();
      });
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

Result<std::string> writeXlsx(const DataTable& table) {
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

void registerXlsx(TableWriterRegistry& registry) {
  registry.add({.id = "xlsx", .title = "Excel workbook", .extension = ".xlsx", .write = writeXlsx});
}

}  // namespace ulp::report
