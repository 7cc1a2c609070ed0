#pragma once

#include <regex>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace ulp {

/// Compiles an expression (ECMAScript) that somebody else wrote. The library goes one call deeper
/// for every character and several for every group, so that one of 4,096 characters or 200 groups
/// and more is refused, long before the stack ends. Error: InvalidArgument, which says what is
/// wrong but neither the expression nor its place.
[[nodiscard]] Result<std::regex> compileExpression(
    const std::string& text, std::regex::flag_type flags = std::regex::ECMAScript);
/// Compiles several expressions, in their order. The error says which one is wrong, too.
[[nodiscard]] Result<std::vector<std::regex>> compileExpressions(
    const std::vector<std::string>& texts);

}  // namespace ulp
