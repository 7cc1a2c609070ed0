#include "core/analysis/verdict/conclusions.h"

#include "core/analysis/findings/all_findings.h"
#include "core/analysis/findings/findings_table.h"
#include "core/analysis/verdict/run_verdict.h"

namespace ulp::analysis {

Result<report::DocumentExtras> conclusionsOf(const report::Report& report,
                                             const report::ExportOptions& options) {
  const auto findings = ULP_TRY(allFindings(report));
  return report::DocumentExtras{.verdict = verdictTable(report, findings, options),
                                .findings = ULP_TRY(findingsTable(report, findings, options))};
}

}  // namespace ulp::analysis
