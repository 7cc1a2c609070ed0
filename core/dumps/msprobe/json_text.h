#pragma once

#include <string>

#include "core/dumps/msprobe/json_tree.h"

namespace ulp::dumps::msprobe {

/// A value as json.dumps() of Python writes it: NaN, Infinity and -Infinity are numbers, characters
/// beyond ASCII are escaped.
[[nodiscard]] std::string jsonText(const JsonTree& tree, const JsonNode& node);

}  // namespace ulp::dumps::msprobe
