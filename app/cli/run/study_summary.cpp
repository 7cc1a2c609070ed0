#include "app/cli/run/study_summary.h"

#include <ostream>
#include <utility>

#include "core/analysis/findings/finding_rule.h"
#include "core/analysis/verdict/conclusions.h"
#include "core/report/formats/format.h"
#include "core/report/model/finding.h"

namespace ulp::cli {

void concludeReport(report::Report& report) {
  report::setFindings(report, analysis::findFindings(report));
}

Result<> printSummary(const report::Report& report, const CommandContext& context) {
  const auto text = ULP_TRY(report::findReportFormat("text"));
  auto conclusions = ULP_TRY(analysis::conclusionsOf(report));
  const auto summary =
      ULP_TRY(text.writeReport(report, {.isSummaryOnly = true}, std::move(conclusions)));
  context.out << summary;
  return {};
}

}  // namespace ulp::cli
