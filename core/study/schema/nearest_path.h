#pragma once

#include <string_view>
#include <vector>

namespace ulp::study {

/// The dotted path nearest to a misspelt one, or empty when none is near. One that is written
/// without its first parts is near whatever the distance.
[[nodiscard]] std::string_view nearestPath(std::string_view path,
                                           const std::vector<std::string_view>& known);

}  // namespace ulp::study
