#pragma once

#include <string_view>

namespace ulp::dumps {

/// Whether `a` comes before `b` as a person would sort them: runs of digits count as numbers, so
/// that layers.2 comes before layers.10. Equal numbers of different length ("1", "01") are in the
/// order of their texts.
[[nodiscard]] bool naturallyBefore(std::string_view a, std::string_view b);

}  // namespace ulp::dumps
