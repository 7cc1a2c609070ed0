#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/rules/report_judgement.h"
#include "core/report/contents/export_selection.h"
#include "core/report/contents/readable_report.h"
#include "core/report/tables/data_table.h"

namespace ulp::analysis {

/// Rules, and where they come from.
struct AskedRules {
  VerdictRules rules;
  std::string origin{};  ///< preset or file; empty: neither
};

/// Rules and what they say of the rows of a report that were chosen.
struct JudgedReport {
  report::ReportPtr report;  ///< with these rows alone
  AskedRules asked;          ///< with what they imply
  ReportJudgement judgement;
};

/// Asks rules of the rows that `options` choose, those that need elements as decideByElements()
/// does. Errors: those of report::selectForExport(), judgeReport() and decideByElements().
[[nodiscard]] Result<JudgedReport> judgeChosen(const report::Report& report,
                                               const report::ExportOptions& options,
                                               const AskedRules& asked,
                                               const PairReader& read,
                                               const std::stop_token& stop = {});

/// Why rules say too little of a run that did not finish: "did not finish: failed: out of memory".
[[nodiscard]] std::string unfinishedText(const report::Run& run);

/// What documents show of it: the verdict on each run, on each rule, the rows that break any, the
/// first twelve of each run, and the verdict on every row.
[[nodiscard]] report::DocumentJudgement judgementOf(const JudgedReport& judged);
/// Every row with its verdict and the metrics that are named, for formats that keep every digit; a
/// run that did not finish is a row without a name that fails. Errors: InvalidArgument for a metric
/// that the report does not hold.
[[nodiscard]] Result<report::DataTable> judgementData(const JudgedReport& judged,
                                                      const std::vector<std::string>& metrics);

}  // namespace ulp::analysis
