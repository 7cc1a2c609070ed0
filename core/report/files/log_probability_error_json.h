#pragma once

#include "core/json/reader.h"
#include "core/json/writer.h"
#include "core/report/model/log_probability_error.h"

/// The field `log_probabilities` of a run in precision_report.json.
namespace ulp::report {

/// The whole field, key and object.
void writeLogProbabilityError(json::Writer& json, const LogProbabilityError& error);
/// The object.
[[nodiscard]] LogProbabilityError readLogProbabilityError(json::Reader& json);

}  // namespace ulp::report
