#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/report/tables/text_table.h"

namespace ulp::report {

/// What a cell holds: nothing (missing), a number with all its digits in the unit of its column
/// (19.9 where that is "%"; NaN and infinities are numbers), or text.
using DataCell = std::variant<std::monostate, double, std::string>;

struct DataColumn {
  std::string title;
  std::string unit;   ///< "%", "dB", or empty
  std::string group;  ///< heading over neighbouring columns, or empty
  /// Significant digits of its numbers where people read them; 0: as few as tell errors apart.
  int digits = 0;
};

/// A table as data, not yet formatted: what a chart or a table shows, on its way out of the
/// program.
struct DataTable {
  std::string title;
  std::vector<DataColumn> columns;
  std::vector<std::vector<DataCell>> rows;  ///< each as long as `columns`
  /// Where the numbers come from, in one line (provenanceLine()), or empty.
  std::string source{};
};

/// Makes columns of their headings as people read them: "tensor; RMS rel, %". No other units.
[[nodiscard]] std::vector<DataColumn> columnsOf(std::string_view headings,
                                                const std::string& group = {});

/// A number of a report as a cell. NaN stands there for what is missing or undefined and leaves the
/// cell empty, unless it is the number itself: `isNonFinite`, where elements that are not finite
/// made it so.
[[nodiscard]] inline DataCell numberCell(double value, bool isNonFinite = false) {
  if (std::isnan(value) && !isNonFinite) {
    return {};
  }
  return value;
}

/// Title with the unit: "RMS rel, %".
[[nodiscard]] std::string columnHeading(const DataColumn& column);
/// The group in front, for formats with one line of headings: "forward: RMS rel, %".
[[nodiscard]] std::string fullHeading(const DataColumn& column);
/// A column of numbers (and gaps).
[[nodiscard]] bool isNumberColumn(const DataTable& table, std::size_t column);
/// All digits; "NaN", "Infinity", "-Infinity"; empty for a gap.
[[nodiscard]] std::string exactCell(const DataCell& cell);

/// Text in a file for spreadsheets, which would compute what begins with =, +, -, @, a tab or a
/// line break: gets an apostrophe in front. Numbers stay.
[[nodiscard]] std::string spreadsheetText(std::string_view text);
/// exactCell() with its text as spreadsheetText().
[[nodiscard]] std::string spreadsheetCell(const DataCell& cell);

/// The table as people read it: one number of decimals a column, whole numbers without any, NaN and
/// infinities as words, gaps as "–". At most `maxRows` rows, with a note on what was left out;
/// 0: all.
[[nodiscard]] TextTable formatTable(const DataTable& table, std::size_t maxRows = 0);

/// All digits in the C locale, and words that every reader of numbers knows: "NaN", "Infinity",
/// "-Infinity". Whole numbers below 1e15 have no exponent.
[[nodiscard]] std::string exactNumber(double value);

/// A field of CSV (RFC 4180): in quotes when it holds a separator, quote or line break.
[[nodiscard]] std::string csvField(std::string_view text);

/// Fields of CSV in a line, without its end.
[[nodiscard]] std::string csvLine(std::span<const std::string> fields);

/// A field of TSV: tabs and line breaks become spaces, since spreadsheets know no other way; a
/// quote in front, with which a quoted field would begin, gets an apostrophe.
[[nodiscard]] std::string tsvField(std::string_view text);

/// Writes one line of headings with group and unit, then the rows with every digit; `field` quotes.
/// Errors: Cancelled.
[[nodiscard]] Result<std::string> delimitedTable(const DataTable& table,
                                                 char separator,
                                                 std::string (*field)(std::string_view));

}  // namespace ulp::report
