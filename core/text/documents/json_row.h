#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/base/result.h"

namespace ulp::text {

/// Fields in the order of the file.
using JsonRow = nlohmann::ordered_json;

/// A line of a dataset; `place` stands for it in errors. Errors: CorruptData (no JSON object).
[[nodiscard]] Result<JsonRow> parseRow(std::string_view line, std::string_view place);

/// "'text', 'id'", or "none".
[[nodiscard]] std::string fieldNamesOf(const JsonRow& row);

}  // namespace ulp::text
