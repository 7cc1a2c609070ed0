#pragma once

#include <vector>

#include "core/report/contents/export_selection.h"
#include "core/report/model/report.h"
#include "core/report/tables/data_table.h"
#include "core/report/tables/text_table.h"

namespace ulp::report {

/// The error of each selected variant over the positions of prompts and over those that were
/// generated, one row each; without rows: the report has none by position.
[[nodiscard]] DataTable positionSummaryData(const Report& report, const ExportSelection& selection);

/// The error of each selected variant at every position (PositionErrors), one row each, with the
/// tokens of the options.
[[nodiscard]] DataTable positionsData(const Report& report,
                                      const ExportSelection& selection,
                                      const ExportOptions& options);

/// The same for reading, a table for each variant that is not equal to the reference everywhere.
[[nodiscard]] std::vector<TextTable> positionTables(const Report& report,
                                                    const ExportSelection& selection,
                                                    const ExportOptions& options);

}  // namespace ulp::report
