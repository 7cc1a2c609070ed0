#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Lines of tables as the original tools write them.
namespace ulp::compat {

/// Splits a text at every separator: "a,b" has two parts, an empty text one.
[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator);

/// Appends a line of CSV as Python writes it: fields in quotes where they must be.
void appendCsvLine(std::string& out,
                   const std::vector<std::string>& fields,
                   std::string_view lineEnd = "\n");

}  // namespace ulp::compat
