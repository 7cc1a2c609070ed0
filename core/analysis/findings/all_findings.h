#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/findings/finding_rule.h"
#include "core/analysis/reports/join_reports.h"
#include "core/base/result.h"
#include "core/report/model/finding.h"

namespace ulp::analysis {

/// The findings that a report holds by rules that are none of `rules`, in its order: what only
/// whoever made it could know, such as the culprits of a comparison of dumps. Errors: CorruptData.
[[nodiscard]] Result<std::vector<report::Finding>> storedFindings(const report::Report& report,
                                                                  const FindingRuleRegistry& rules);
/// Collects those of several reports, under the names that runs and tensors have in the joined one.
[[nodiscard]] Result<std::vector<report::Finding>> storedFindings(
    const JoinedReports& joined,
    std::span<const ReportSource> sources,
    const FindingRuleRegistry& rules);

/// The stored findings, then what the rules of this build find with their default thresholds.
/// Errors: CorruptData.
[[nodiscard]] Result<std::vector<report::Finding>> allFindings(const report::Report& report);

/// Leaves out what is about runs alone of which `isShown` holds for none.
void eraseFindingsOfOthers(std::vector<report::Finding>& findings,
                           const std::function<bool(const std::string& run)>& isShown);

}  // namespace ulp::analysis
