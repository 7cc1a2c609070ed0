#include "app/cli/sources/report_findings.h"

#include <algorithm>

#include "core/analysis/findings/all_findings.h"
#include "core/report/model/finding.h"

namespace ulp::cli {

Result<report::ReportPtr> withFindings(const report::ReportPtr& report) {
  const auto held = ULP_TRY(report::readFindings(*report));
  const analysis::FindingRuleRegistry rules = analysis::builtinFindingRules();
  const bool areConcluded =
      std::any_of(held.begin(), held.end(), [&](const report::Finding& finding) {
        return rules.find(finding.rule) != nullptr;
      });
  if (areConcluded) {
    return report;
  }
  auto all = ULP_TRY(analysis::allFindings(*report));
  if (all.size() == held.size()) {
    return report;
  }
  auto copy = std::make_shared<report::Report>(*report);
  report::setFindings(*copy, all);
  return copy;
}

}  // namespace ulp::cli
