#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/analysis/rules/report_judgement.h"
#include "core/report/tables/data_table.h"
#include "core/report/tables/text_table.h"

namespace ulp::cli {

/// Rules and what they say of a report.
struct JudgedReport {
  const report::Report& report;
  const analysis::VerdictRules& rules;
  const analysis::ReportJudgement& judgement;
  std::string origin;  ///< preset or file
};

/// What people read: the verdict on each rule, the rows that break any, at most `longest` of each
/// run, and the verdict on each run.
[[nodiscard]] std::vector<report::TextTable> judgementTables(const JudgedReport& judged,
                                                             std::size_t longest);
/// Every row with its verdict, for formats that keep every digit.
[[nodiscard]] report::DataTable judgementData(const JudgedReport& judged);

}  // namespace ulp::cli
