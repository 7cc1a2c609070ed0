#include "core/analysis/verdict/conclusions.h"

#include <utility>

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

Result<std::string> writeConcluded(const report::Report& report,
                                   const report::Format& format,
                                   const report::ExportOptions& options,
                                   const JudgedReport* judged) {
  if (!format.isForReading()) {
    if (judged == nullptr) {
      return format.writeReport(report, options);
    }
    if (format.exportTable == nullptr) {
      return fail(ErrorCode::InvalidArgument,
                  "a file of the format " + format.id +
                      " has no place for what rules say; choose a document or a table: " +
                      report::idsOf(report::tableFormats()));
    }
    return format.writeTable(ULP_TRY(judgementData(*judged, options.metrics)));
  }
  auto extras = ULP_TRY(conclusionsOf(report, options));
  if (judged != nullptr) {
    extras.judgement = judgementOf(*judged);
  }
  return format.writeReport(report, options, std::move(extras));
}

}  // namespace ulp::analysis
