#include "core/report/formats/delimited_table.h"

#include "core/report/tables/format_table.h"

namespace ulp::report {

std::string delimitedTable(const DataTable& table,
                           char separator,
                           std::string (*field)(std::string_view)) {
  std::string out;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    out += (i == 0 ? "" : std::string(1, separator)) + field(fullHeading(table.columns[i]));
  }
  out += "\n";
  for (const std::vector<DataCell>& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i != 0) {
        out += separator;
      }
      out += field(exactCell(row[i]));
    }
    out += "\n";
  }
  return out;
}

}  // namespace ulp::report
