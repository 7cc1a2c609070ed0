#include "core/report/tables/delimited_text.h"

#include <cmath>

#include "core/base/text/format_number.h"
#include "core/report/tables/format_table.h"

namespace ulp::report {

std::string exactNumber(double value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  if (std::isinf(value)) {
    return value > 0 ? "Infinity" : "-Infinity";
  }
  return formatExact(value);
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
  std::string out;
  for (const char c : text) {
    out += c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

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
