#pragma once

#include <array>
#include <span>
#include <string_view>

namespace ulp {

/// What the rows of Pass::Optimizer show of a parameter: the state after the step, in its format,
/// and "update", the new value of the parameter minus the old one. A row is called PARAMETER.NAME.
inline constexpr std::array<std::string_view, 3> kAdamWRows{"exp_avg", "exp_avg_sq", "update"};
/// Without a momentum there is no state, and the first is left out.
inline constexpr std::array<std::string_view, 2> kSgdRows{"momentum", "update"};

[[nodiscard]] constexpr std::span<const std::string_view> sgdRows(bool hasMomentum) {
  return std::span<const std::string_view>(kSgdRows).subspan(hasMomentum ? 0 : 1);
}

}  // namespace ulp
