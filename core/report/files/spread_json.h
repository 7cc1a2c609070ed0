#pragma once

#include <string_view>

#include "core/json/reader.h"
#include "core/json/writer.h"
#include "core/report/model/spread.h"

namespace ulp::report {

/// Among the spreads of a row: that of its signed error, which has its mean beside it.
inline constexpr std::string_view kGainField = "gain_error";

/// {"sd", "min", "max"} and, where there are any, "undefined".
void writeSpread(json::Writer& json, std::string_view name, const Spread& spread);
/// Writes the fields of a spread into an object that is open.
void writeSpreadFields(json::Writer& json, const Spread& spread);
/// Reads such an object; `mean` takes the field of that name, null: it is passed over.
[[nodiscard]] Spread readSpread(json::Reader& json, double* mean = nullptr);

}  // namespace ulp::report
