#pragma once

#include <string>
#include <string_view>

#include "core/dumps/msprobe/json_tree.h"

namespace ulp::dumps::msprobe {

/// A text in quotes as json.dumps() of Python writes it: characters beyond ASCII are escaped.
[[nodiscard]] std::string jsonText(std::string_view text);
/// A value as json.dumps() of Python writes it: NaN, Infinity and -Infinity are numbers, characters
/// beyond ASCII are escaped.
[[nodiscard]] std::string jsonText(const JsonTree& tree, const JsonNode& node);

}  // namespace ulp::dumps::msprobe
