#pragma once

#include <string_view>

#include "core/dumps/exporters/python_json.h"
#include "core/dumps/msprobe/json_tree.h"

namespace ulp::dumps {

/// Writes a node with all below it as the next value. The reader of a tree limits its depth.
void writeTree(PythonJson& json, const msprobe::JsonTree& tree, const msprobe::JsonNode& node);

/// Writes an object of JSON, as DumpRow::argument holds it, as the next value. Of text that breaks
/// off or is no object, the complete members. Its data_name is left out: the file stays behind.
void writeJson(PythonJson& json, std::string_view object);

}  // namespace ulp::dumps
