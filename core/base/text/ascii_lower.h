#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace ulp {

/// A to Z as a to z; other bytes stay, whatever the locale.
[[nodiscard]] inline std::string asciiLower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return lower;
}

}  // namespace ulp
