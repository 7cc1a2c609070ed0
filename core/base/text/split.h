#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ulp {

/// The parts between separators, as views into the text: "a.b" has two, an empty text has one.
[[nodiscard]] inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != std::string_view::npos;
       end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

/// What stands behind the last separator, as a view into the text; all of it where there is none.
[[nodiscard]] inline std::string_view lastPart(std::string_view text, char separator) {
  return text.substr(text.rfind(separator) + 1);  // npos + 1 is 0
}

}  // namespace ulp
