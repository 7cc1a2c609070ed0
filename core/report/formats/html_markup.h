#pragma once

#include <string>
#include <string_view>

#include "core/report/tables/text_table.h"

namespace ulp::report {

/// The look of a page of ours: light and dark as the reader's system, nothing from outside.
[[nodiscard]] std::string_view htmlStyle();
/// A few lines that sort a table by the column whose heading is clicked; they work offline.
[[nodiscard]] std::string_view htmlSortScript();
[[nodiscard]] std::string escapedHtml(std::string_view text);
/// `<table>…</table>` without title and note.
void appendHtmlTable(std::string& out, const TextTable& table);
/// Start of a page up to and with `<body>`; `extraStyle` follows ours.
[[nodiscard]] std::string htmlHead(std::string_view title, std::string_view extraStyle = {});

}  // namespace ulp::report
