#include "core/report/tables/delimited_text.h"

#include <cmath>

#include "core/base/text/format_number.h"

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

std::string tsvField(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

}  // namespace ulp::report
