#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ulp {

/// Bytes of a name that a message shows.
inline constexpr std::size_t kShownOfName = 120;

/// Leaves the middle of a text out that is longer than `most` bytes: "model.layers…weight". Code
/// points stay whole.
[[nodiscard]] std::string elided(std::string_view text, std::size_t most = kShownOfName);

}  // namespace ulp
