#pragma once

#include <string>

#include "core/report/tables/text_table.h"

namespace ulp::report {

/// Appends a table for terminals and text files: title, note, headings over groups, one line a row,
/// columns aligned by blanks.
void appendAlignedTable(std::string& out, const TextTable& table);

}  // namespace ulp::report
