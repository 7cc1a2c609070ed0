#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/report/tables/data_table.h"

namespace ulp::report {

/// All digits in the C locale, and words that every reader of numbers knows: "NaN", "Infinity",
/// "-Infinity".
[[nodiscard]] std::string exactNumber(double value);

/// A field of CSV (RFC 4180): in quotes when it holds a separator, quote or line break.
[[nodiscard]] std::string csvField(std::string_view text);

/// Fields of CSV in a line, without its end.
[[nodiscard]] std::string csvLine(std::span<const std::string> fields);

/// A field of TSV: tabs and line breaks become spaces, since spreadsheets know no other way.
[[nodiscard]] std::string tsvField(std::string_view text);

/// Writes one line of headings with group and unit, then the rows with every digit; `field` quotes.
[[nodiscard]] std::string delimitedTable(const DataTable& table,
                                         char separator,
                                         std::string (*field)(std::string_view));

}  // namespace ulp::report
