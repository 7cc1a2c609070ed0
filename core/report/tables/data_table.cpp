#include "core/report/tables/data_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <ranges>

#include "core/base/list_of.h"
#include "core/base/stop_pace.h"
#include "core/base/text/format_number.h"
#include "core/base/text/parse_number.h"
#include "core/base/undefined.h"
#include "core/report/tables/number_column.h"

namespace ulp::report {
namespace {

/// Whole numbers up to here are written without an exponent.
constexpr double kLargestWhole = 1e15;

std::vector<double> numbersOf(const DataTable& table, std::size_t column, std::size_t rows) {
  return listOf(table.rows | std::views::take(rows), [column](const std::vector<DataCell>& row) {
    const double* number = std::get_if<double>(&row[column]);
    return number == nullptr ? kUndefined : *number;
  });
}

bool isWhole(double value) {
  return value == std::floor(value) && std::abs(value) < kLargestWhole;
}

bool areWhole(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers,
                             [](double value) { return !std::isfinite(value) || isWhole(value); });
}

/// Cosines and shares: what tells is the distance from one.
bool arePartsOfOne(const std::vector<double>& numbers, double one) {
  return std::ranges::all_of(
      numbers, [one](double value) { return !std::isfinite(value) || std::abs(value) <= one; });
}

std::vector<std::string> formatNumbers(const std::vector<double>& numbers,
                                       const DataColumn& column) {
  if (!areWhole(numbers) && column.digits > 0) {
    return listOf(numbers, [&column](double value) {
      return isWhole(value) ? fmt::format("{:.0f}", value)
                            : formatSignificant(value, column.digits);
    });
  }
  if (!areWhole(numbers)) {
    const double one = column.unit == "%" ? 100 : 1;
    return formatColumn(numbers, numerics::MetricUnit::None, arePartsOfOne(numbers, one));
  }
  return listOf(numbers, [](double value) {
    return std::isfinite(value) ? fmt::format("{:.0f}", value) : formatExact(value);
  });
}

std::string textCell(const DataCell& cell, std::string number) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    return *text;
  }
  const double* value = std::get_if<double>(&cell);
  if (value == nullptr) {
    return std::string(kMissingText);
  }
  return std::isnan(*value) ? "NaN" : std::move(number);
}

}  // namespace

std::vector<DataColumn> columnsOf(std::string_view headings, const std::string& group) {
  constexpr std::string_view kPercent = ", %";
  std::vector<DataColumn> columns;
  for (const auto heading : std::views::split(headings, std::string_view("; "))) {
    const std::string_view text(heading.begin(), heading.end());
    const bool isPercent = text.ends_with(kPercent);
    columns.push_back(
        {.title = std::string(text.substr(0, text.size() - (isPercent ? kPercent.size() : 0))),
         .unit = isPercent ? "%" : "",
         .group = group});
  }
  return columns;
}

std::string columnHeading(const DataColumn& column) {
  return column.unit.empty() ? column.title : column.title + ", " + column.unit;
}

std::string fullHeading(const DataColumn& column) {
  return column.group.empty() ? columnHeading(column) : column.group + ": " + columnHeading(column);
}

bool isNumberColumn(const DataTable& table, std::size_t column) {
  bool hasNumber = false;
  for (const std::vector<DataCell>& row : table.rows) {
    if (std::holds_alternative<std::string>(row[column])) {
      return false;
    }
    hasNumber = hasNumber || std::holds_alternative<double>(row[column]);
  }
  return hasNumber;
}

std::string exactCell(const DataCell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    return *text;
  }
  const double* value = std::get_if<double>(&cell);
  return value == nullptr ? std::string() : exactNumber(*value);
}

std::string spreadsheetCell(const DataCell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr ? exactCell(cell) : spreadsheetText(*text);
}

TextTable formatTable(const DataTable& table, std::size_t maxRows) {
  const std::size_t rows = maxRows == 0 ? table.rows.size() : std::min(maxRows, table.rows.size());
  TextTable text{table.title, {}, std::vector<std::vector<std::string>>(rows)};
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const DataColumn& here = table.columns[column];
    text.columns.push_back({columnHeading(here), isNumberColumn(table, column), here.group});
    std::vector<std::string> numbers = formatNumbers(numbersOf(table, column, rows), here);
    for (std::size_t row = 0; row < rows; ++row) {
      text.rows[row].push_back(textCell(table.rows[row][column], std::move(numbers[row])));
    }
  }
  if (rows < table.rows.size()) {
    text.note = fmt::format("The first {} of {} rows.", rows, table.rows.size());
  }
  return text;
}

std::string exactNumber(double value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  if (std::isinf(value)) {
    return value > 0 ? "Infinity" : "-Infinity";
  }
  return isWhole(value) ? fmt::format("{:.0f}", value) : formatExact(value);
}

std::string spreadsheetText(std::string_view text) {
  const bool isFormula =
      std::string_view("=+-@\t\r\n").find(text.substr(0, 1)) != std::string_view::npos;
  const bool isComputed = !text.empty() && isFormula &&
                          !parseNumber<double>(text.substr(text.starts_with('+') ? 1 : 0));
  return (isComputed ? "'" : "") + std::string(text);
}

std::string csvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string out = "\"";
  for (const char c : text) {
    out += c == '"' ? "\"\"" : std::string(1, c);
  }
  return out + "\"";
}

std::string csvLine(std::span<const std::string> fields) {
  std::string line;
  for (const std::string& field : fields) {
    line += &field == &fields.front() ? "" : ",";
    line += csvField(field);
  }
  return line;
}

std::string tsvField(std::string_view text) {
  std::string out = text.starts_with('"') ? "'" : "";
  for (const char c : text) {
    out += c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

Result<std::string> delimitedTable(const DataTable& table,
                                   char separator,
                                   std::string (*field)(std::string_view)) {
  std::string out;
  const auto append = [&](const std::vector<std::string>& texts) {
    const std::string_view between(&separator, 1);
    fmt::format_to(std::back_inserter(out), "{}\n", fmt::join(listOf(texts, field), between));
  };
  append(listOf(table.columns,
                [](const DataColumn& column) { return spreadsheetText(fullHeading(column)); }));
  constexpr std::size_t kPacedRows = 256;
  StopPace pace(kPacedRows, table.rows.size());
  for (const std::vector<DataCell>& row : table.rows) {
    if (pace.isStopped()) {
      return stopped();
    }
    append(listOf(row, spreadsheetCell));
  }
  return out;
}

}  // namespace ulp::report
