#include "app/cli/report_findings.h"

#include "core/analysis/findings/finding_rule.h"
#include "core/report/finding.h"

namespace ulp::cli {

Result<report::ReportPtr> withFindings(const report::ReportPtr& report) {
  const auto held = report::readFindings(*report);
  if (!held) {
    return tl::unexpected<Error>(held.error());
  }
  if (!held->empty()) {
    return report;
  }
  const auto found = analysis::findFindings(*report);
  if (found.empty()) {
    return report;
  }
  auto copy = std::make_shared<report::Report>(*report);
  report::setFindings(*copy, found);
  return copy;
}

}  // namespace ulp::cli
