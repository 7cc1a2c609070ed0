#pragma once

#include <string_view>

#include "core/report/json/json_reader.h"
#include "core/report/json/json_writer.h"
#include "core/report/model/report.h"

/// The field `step` of a run in precision_report.json.
namespace ulp::report {

/// The whole field, key and object; nothing when the report does not say.
void writeStep(JsonWriter& json, const StepSummary& step);
/// One field of the object.
void readStepField(JsonReader& json, StepSummary& step, std::string_view field);

}  // namespace ulp::report
