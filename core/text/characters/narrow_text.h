#pragma once

#include <string>

namespace ulp::text {

/// UTF-8 text with one byte a character: what Python takes for white space becomes a space unless
/// it is a tab or ends a line, what else is not of ASCII becomes DEL.
[[nodiscard]] std::string narrowed(const std::string& text);

}  // namespace ulp::text
