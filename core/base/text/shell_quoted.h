#pragma once

#include <string>
#include <string_view>

namespace ulp {

/// Puts a text in quotes, as one word of a POSIX shell, whatever it holds.
[[nodiscard]] inline std::string shellQuoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

}  // namespace ulp
