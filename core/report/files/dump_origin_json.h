#pragma once

#include "core/base/unit_axes.h"
#include "core/report/json/json_reader.h"
#include "core/report/json/json_writer.h"
#include "core/report/model/dump_origin.h"

/// The fields `dumps` of precision_report.json and `axes` of its runs.
namespace ulp::report {

/// The whole field, key and object.
void writeAxes(JsonWriter& json, const UnitAxes& axes);
void writeDumpOrigin(JsonWriter& json, const DumpOrigin& origin);
/// The object.
[[nodiscard]] UnitAxes readAxes(JsonReader& json);
[[nodiscard]] DumpOrigin readDumpOrigin(JsonReader& json);

}  // namespace ulp::report
