#pragma once

#include <string>
#include <string_view>

#include "core/report/tables/text_table.h"

namespace ulp::report {

/// Escapes what Markdown would read as markup inside a table cell or a heading.
[[nodiscard]] std::string escapedMarkdown(std::string_view text);
/// The rows of a table without its title.
void appendMarkdownTable(std::string& out, const TextTable& table);

}  // namespace ulp::report
