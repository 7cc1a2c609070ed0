#pragma once

#include "core/report/report.h"

namespace ulp::cli {

/// The report itself when it holds findings; else one with those of the rules of this build.
/// Errors: CorruptData.
[[nodiscard]] Result<report::ReportPtr> withFindings(const report::ReportPtr& report);

}  // namespace ulp::cli
