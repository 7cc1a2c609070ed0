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

}  // namespace ulp
