#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <QtCore/QString>

#include "core/analysis/findings/finding_rule.h"
#include "core/report/model/finding.h"
#include "core/report/tables/data_table.h"
#include "views/framework/document/report_document.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// A finding as the table shows it.
struct FindingRow {
  int index = 0;  ///< among all findings
  const report::Finding* finding = nullptr;
  QString title;
  QString ruleTitle;
};

using FindingsModel = RowTableModel<FindingRow>;

/// What of the findings is shown.
struct FindingFilter {
  std::array<bool, 3> severities{true, true, true};  ///< by report::FindingSeverity
  QString variant;                                   ///< empty: all
  QString tensor{};                                  ///< name of its site; empty: of all
  Pass pass = Pass::Forward;                         ///< of the tensor

  friend bool operator==(const FindingFilter&, const FindingFilter&) = default;
};

/// How many findings of each severity, shown or not, pass what else is in the filter.
[[nodiscard]] std::array<int, 3> countBySeverity(const std::vector<report::Finding>& findings,
                                                 const FindingFilter& filter);
/// Indices of the findings that pass, in their order. A finding about no run in particular is about
/// every one.
[[nodiscard]] std::vector<int> filterFindings(const std::vector<report::Finding>& findings,
                                              const FindingFilter& filter);

/// Rows of `shown` findings; they point into `findings`.
[[nodiscard]] std::vector<FindingRow> makeFindingRows(const std::vector<report::Finding>& findings,
                                                      const std::vector<int>& shown,
                                                      const analysis::FindingRuleRegistry& rules);
[[nodiscard]] std::vector<Column<FindingRow>> findingColumns();
/// The shown findings as data, with the numbers that they rest on.
[[nodiscard]] report::DataTable findingTable(const QString& title,
                                             const std::vector<FindingRow>& rows);

/// "■ broken", "▲ look", "● note".
[[nodiscard]] QString findingSeverityText(report::FindingSeverity severity);
/// A number of a finding as text, ratios as percentages.
[[nodiscard]] QString findingNumberText(const report::FindingNumber& number);

}  // namespace ulp::views
