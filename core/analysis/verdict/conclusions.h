#pragma once

#include "core/base/result.h"
#include "core/report/contents/readable_report.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

/// Concludes from a report what documents on it say first: the verdict on each run that `options`
/// chooses, and the findings about them (allFindings()). Errors: CorruptData; those of
/// report::selectForExport().
[[nodiscard]] Result<report::DocumentExtras> conclusionsOf(
    const report::Report& report, const report::ExportOptions& options = {});

}  // namespace ulp::analysis
