#pragma once

#include <cstddef>
#include <limits>
#include <string_view>

namespace ulp {

/// Insertions, deletions and substitutions of bytes between two words (Levenshtein); above `atMost`
/// some number that is as well, which takes less time the smaller `atMost` is.
[[nodiscard]] std::size_t editDistance(
    std::string_view a,
    std::string_view b,
    std::size_t atMost = std::numeric_limits<std::size_t>::max());

}  // namespace ulp
