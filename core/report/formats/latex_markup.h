#pragma once

#include <string>
#include <string_view>

#include "core/report/tables/text_table.h"

namespace ulp::report {

/// What the preamble of a document must load for appendLatexTable().
inline constexpr std::string_view kLatexPreamble =
    "% Needs \\usepackage{booktabs,longtable,caption} in the preamble.\n";

[[nodiscard]] std::string escapedLatex(std::string_view text);
/// A longtable with booktabs rules: it breaks over pages and repeats its heading.
void appendLatexTable(std::string& out, const TextTable& table);

}  // namespace ulp::report
