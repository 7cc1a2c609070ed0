#pragma once

#include <string_view>

namespace ulp {

[[nodiscard]] inline bool containsText(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace ulp
