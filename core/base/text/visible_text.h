#pragma once

#include <string>
#include <string_view>

namespace ulp {

/// Makes text of others fit to be shown: what a terminal or a reader of files would obey, or what
/// nobody sees, becomes its code. Control characters and bytes that are no UTF-8 become "\x1b",
/// marks of the direction of writing "\u202e". Line breaks and tabs stay.
[[nodiscard]] std::string visibleText(std::string_view text);

/// The same for a place that has one line: line breaks and tabs become blanks.
[[nodiscard]] std::string visibleLine(std::string_view text);

/// visibleText() as text of HTML and XML, attributes included.
[[nodiscard]] std::string escapedMarkup(std::string_view text);

}  // namespace ulp
