#pragma once

#include "core/report/model/report.h"

namespace ulp::cli {

/// The report itself when it holds what this build's rules found; else one with that behind the
/// findings that it holds by other rules, such as the culprits of a comparison of dumps.
/// Errors: CorruptData.
[[nodiscard]] Result<report::ReportPtr> withFindings(const report::ReportPtr& report);

}  // namespace ulp::cli
