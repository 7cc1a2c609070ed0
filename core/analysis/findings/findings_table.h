#pragma once

#include <span>

#include "core/base/result.h"
#include "core/report/contents/export_selection.h"
#include "core/report/model/finding.h"
#include "core/report/model/report.h"
#include "core/report/tables/text_table.h"

namespace ulp::analysis {

/// Writes findings about what `options` chooses as a table in English, the gravest first: each with
/// the place to look in full, up to six runs, and the title of its rule. Without rows where there
/// is none. Errors: those of report::selectForExport().
[[nodiscard]] Result<report::TextTable> findingsTable(const report::Report& report,
                                                      std::span<const report::Finding> findings,
                                                      const report::ExportOptions& options);

}  // namespace ulp::analysis
