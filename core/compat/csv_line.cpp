#include "core/compat/csv_line.h"

#include "core/report/tables/data_table.h"

namespace ulp::compat {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

void appendCsvLine(std::string& out,
                   const std::vector<std::string>& fields,
                   std::string_view lineEnd) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    out += i == 0 ? "" : ",";
    out += report::csvField(fields[i]);
  }
  out += lineEnd;
}

}  // namespace ulp::compat
