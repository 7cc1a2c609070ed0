#include "core/text/documents/json_row.h"

#include <fmt/format.h>

namespace ulp::text {

Result<JsonRow> parseRow(std::string_view line, std::string_view place) {
  JsonRow row;
  try {
    row = JsonRow::parse(line);
  } catch (const nlohmann::json::exception& error) {
    return fail(ErrorCode::CorruptData, fmt::format("{}: {}", place, error.what()));
  }
  if (!row.is_object()) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: each line must be one JSON object", place));
  }
  return row;
}

std::string fieldNamesOf(const JsonRow& row) {
  std::string names;
  for (const auto& [name, value] : row.items()) {
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
  }
  return names.empty() ? "none" : names;
}

}  // namespace ulp::text
