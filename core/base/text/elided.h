#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ulp {

/// Bytes of a name that a message shows.
inline constexpr std::size_t kShownOfName = 120;

/// Leaves the middle of a text out that is longer than `most` bytes: "model.layers…weight". Code
/// points stay whole.
[[nodiscard]] std::string elided(std::string_view text, std::size_t most = kShownOfName);

/// Writes the first `most` names, then how many more there are: "bf16, fp16 and 2 more".
[[nodiscard]] std::string firstNames(std::span<const std::string> names, std::size_t most);

}  // namespace ulp
