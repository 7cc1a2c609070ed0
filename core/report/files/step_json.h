#pragma once

#include <string_view>

#include "core/json/reader.h"
#include "core/json/writer.h"
#include "core/report/model/report.h"

/// The field `step` of a run in precision_report.json.
namespace ulp::report {

/// The whole field, key and object; nothing when the report does not say.
void writeStep(json::Writer& json, const StepSummary& step);
/// One field of the object.
void readStepField(json::Reader& json, StepSummary& step, std::string_view field);

}  // namespace ulp::report
