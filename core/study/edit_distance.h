#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ulp::study {

/// Insertions, deletions and substitutions of bytes between two words (Levenshtein).
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

/// The dotted path nearest to a misspelt one, or empty when none is near. One that is written
/// without its first parts is near whatever the distance.
[[nodiscard]] std::string_view nearestPath(std::string_view path,
                                           const std::vector<std::string_view>& known);

}  // namespace ulp::study
