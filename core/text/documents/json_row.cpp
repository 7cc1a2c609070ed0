#include "core/text/documents/json_row.h"

#include <fmt/format.h>

#include "core/json/parse.h"

namespace ulp::text {

Result<json::Value> parseRow(std::string_view line, std::string_view place) {
  auto row = json::parse(line);
  if (!row) {
    return fail(ErrorCode::CorruptData, fmt::format("{}: {}", place, row.error().message()));
  }
  if (!row->isObject()) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: each line must be one JSON object", place));
  }
  return row;
}

std::string fieldNamesOf(const json::Value& row) {
  std::string names;
  for (const auto& [name, value] : row.members()) {
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
  }
  return names.empty() ? "none" : names;
}

}  // namespace ulp::text
