#pragma once

#include <string_view>

namespace ulp::report {

/// Tells whether two reports say that something of them is not the same, by its name or digest:
/// where one of them says nothing, it may be.
[[nodiscard]] inline bool areToldApart(std::string_view a, std::string_view b) {
  return !a.empty() && !b.empty() && a != b;
}

}  // namespace ulp::report
