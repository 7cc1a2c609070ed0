#pragma once

#include <string>
#include <string_view>

namespace ulp::text {

/// A token's text for people: in quotes, with escapes for what cannot be seen, which is control
/// characters and parts of characters.
[[nodiscard]] std::string quoted(std::string_view bytes);

}  // namespace ulp::text
