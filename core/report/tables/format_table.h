#pragma once

#include <cstddef>
#include <string>

#include "core/report/tables/data_table.h"
#include "core/report/tables/text_table.h"

namespace ulp::report {

/// Title with the unit: "RMS rel, %".
[[nodiscard]] std::string columnHeading(const DataColumn& column);
/// The group in front, for formats with one line of headings: "forward: RMS rel, %".
[[nodiscard]] std::string fullHeading(const DataColumn& column);
/// A column of numbers (and gaps).
[[nodiscard]] bool isNumberColumn(const DataTable& table, std::size_t column);
/// All digits; "NaN", "Infinity", "-Infinity"; empty for a gap.
[[nodiscard]] std::string exactCell(const DataCell& cell);

/// The table as people read it: one number of decimals a column, whole numbers without any, NaN and
/// infinities as words, gaps as "–". At most `maxRows` rows, with a note on what was left out;
/// 0: all.
[[nodiscard]] TextTable formatTable(const DataTable& table, std::size_t maxRows = 0);

}  // namespace ulp::report
