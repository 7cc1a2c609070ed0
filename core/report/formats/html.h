#pragma once

#include <string>

#include "core/report/tables/text_table.h"

namespace ulp::report {

/// Renders a page that needs nothing from outside: it follows the reader's light or dark system,
/// its tables are sorted by a click on a heading.
[[nodiscard]] std::string renderHtml(const Document& document);

/// Appends `<table>…</table>` without title and note.
void appendHtmlTable(std::string& out, const TextTable& table);

}  // namespace ulp::report
