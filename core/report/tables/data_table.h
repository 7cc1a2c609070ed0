#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ulp::report {

/// What a cell holds: nothing (missing), a number with all its digits in the unit of its column
/// (19.9 where that is "%"; NaN and infinities are numbers), or text.
using DataCell = std::variant<std::monostate, double, std::string>;

struct DataColumn {
  std::string title;
  std::string unit;   ///< "%", "dB", or empty
  std::string group;  ///< heading over neighbouring columns, or empty
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

}  // namespace ulp::report
