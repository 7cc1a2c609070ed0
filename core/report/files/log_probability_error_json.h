#pragma once

#include "core/report/json/json_reader.h"
#include "core/report/json/json_writer.h"
#include "core/report/model/log_probability_error.h"

/// The field `log_probabilities` of a run in precision_report.json.
namespace ulp::report {

/// The whole field, key and object.
void writeLogProbabilityError(JsonWriter& json, const LogProbabilityError& error);
/// The object.
[[nodiscard]] LogProbabilityError readLogProbabilityError(JsonReader& json);

}  // namespace ulp::report
