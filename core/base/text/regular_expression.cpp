#include "core/base/text/regular_expression.h"

#include <algorithm>
#include <cstddef>

namespace ulp {

Result<std::regex> compileExpression(const std::string& text, std::regex::flag_type flags) {
  constexpr std::size_t kLongest = 4096;
  constexpr std::ptrdiff_t kMostGroups = 200;
  if (text.size() >= kLongest || std::count(text.begin(), text.end(), '(') >= kMostGroups) {
    return fail(ErrorCode::InvalidArgument,
                "it has 4096 characters or 200 groups or more; divide it into several");
  }
  auto compiled = guarded([&] { return std::regex(text, flags); });
  if (!compiled) {
    return fail(ErrorCode::InvalidArgument, compiled.error().message());
  }
  return compiled;
}

Result<std::vector<std::regex>> compileExpressions(const std::vector<std::string>& texts) {
  std::vector<std::regex> all;
  for (const std::string& text : texts) {
    auto compiled = compileExpression(text);
    if (!compiled) {
      return failWhile("'" + text + "' is not a regular expression", std::move(compiled));
    }
    all.push_back(std::move(*compiled));
  }
  return all;
}

}  // namespace ulp
