#pragma once

#include <string>
#include <string_view>

namespace ulp {

/// Returns the text with U+FFFD for each byte that is not part of well-formed UTF-8.
[[nodiscard]] std::string validUtf8(std::string_view text);

}  // namespace ulp
