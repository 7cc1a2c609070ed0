#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/json/value.h"

namespace ulp::text {

/// A line of a dataset; `place` stands for it in errors. Errors: CorruptData (no JSON object).
[[nodiscard]] Result<json::Value> parseRow(std::string_view line, std::string_view place);

/// "'text', 'id'", or "none".
[[nodiscard]] std::string fieldNamesOf(const json::Value& row);

}  // namespace ulp::text
