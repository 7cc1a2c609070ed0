#pragma once

#include <cstddef>
#include <string_view>

namespace ulp {

/// Insertions, deletions and substitutions of bytes between two words (Levenshtein).
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

}  // namespace ulp
