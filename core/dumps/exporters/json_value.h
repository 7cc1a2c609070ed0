#pragma once

#include <string_view>

#include "core/dumps/exporters/python_json.h"

namespace ulp::dumps {

/// Writes an object of JSON, as DumpRow::argument holds it, as the next value. Of text that breaks
/// off or is no object, the complete members. Its data_name is left out: the file stays behind.
void writeJson(PythonJson& json, std::string_view object);

}  // namespace ulp::dumps
