#pragma once

#include <string>

#include "core/analysis/rules/judged_report.h"
#include "core/base/result.h"
#include "core/report/contents/readable_report.h"
#include "core/report/formats/format.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

/// Concludes from a report what documents on it say first: the verdict on each run that `options`
/// chooses, and the findings about them (allFindings()). Errors: CorruptData; those of
/// report::selectForExport().
[[nodiscard]] Result<report::DocumentExtras> conclusionsOf(
    const report::Report& report, const report::ExportOptions& options = {});

/// Writes a report: formats for reading with its conclusions and with what rules say of it; formats
/// for machines as it is or, where rules were asked, the verdict on every row. `judged`: of the
/// same options; null: no rules. Errors: those of conclusionsOf() and of the format.
[[nodiscard]] Result<std::string> writeConcluded(const report::Report& report,
                                                 const report::Format& format,
                                                 const report::ExportOptions& options,
                                                 const JudgedReport* judged = nullptr);

}  // namespace ulp::analysis
