#pragma once

#include "core/base/unit_axes.h"
#include "core/json/reader.h"
#include "core/json/writer.h"
#include "core/report/model/dump_origin.h"

/// The fields `dumps` of precision_report.json and `axes` of its runs.
namespace ulp::report {

/// The whole field, key and object.
void writeAxes(json::Writer& json, const UnitAxes& axes);
void writeDumpOrigin(json::Writer& json, const DumpOrigin& origin);
/// The object.
[[nodiscard]] UnitAxes readAxes(json::Reader& json);
[[nodiscard]] DumpOrigin readDumpOrigin(json::Reader& json);

}  // namespace ulp::report
