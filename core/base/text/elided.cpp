#include "core/base/text/elided.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text/utf8.h"

namespace ulp {

std::string elided(std::string_view text, std::size_t most) {
  if (text.size() <= most) {
    return std::string(text);
  }
  std::size_t begin = most / 2;
  while (begin > 0 && isInsideOfCodePoint(text[begin])) {
    --begin;
  }
  std::size_t end = text.size() - most / 2;
  while (end < text.size() && isInsideOfCodePoint(text[end])) {
    ++end;
  }
  std::string shown(text.substr(0, begin));
  shown += "…";
  shown += text.substr(end);
  return shown;
}

std::string firstNames(std::span<const std::string> names, std::size_t most) {
  const std::size_t shown = std::min(names.size(), most);
  const std::size_t more = names.size() - shown;
  return fmt::format("{}{}",
                     fmt::join(names.first(shown), ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

}  // namespace ulp
