#pragma once

#include <memory>
#include <vector>

#include "core/report/summary.h"
#include "views/framework/report_document.h"
#include "views/framework/row_table_model.h"

namespace ulp::views {

/// A run in the overview: the reference, or a variant with its summary.
struct OverviewRow {
  QString run;
  int style = -1;  ///< -1: the reference
  report::RunStatus status = report::RunStatus::Pending;
  std::vector<report::SummaryCell> cells;  ///< parallel to summaryColumns(); empty: nothing yet
  double loss = 0;
  double seconds = 0;
  std::uint64_t peakBytes = 0;
  QString error;
  int worstCell = -1;  ///< of the whole table, in the row that has it
};

using OverviewModel = RowTableModel<OverviewRow>;

/// What the overview shows of a report under one metric.
struct Overview {
  std::shared_ptr<const std::vector<OverviewRow>> rows;
  std::vector<Column<OverviewRow>> columns;
  QString headline;  ///< the first value that is not finite, and the worst cell
};

/// Column 0 is the run; summary cell i is column i + 1.
[[nodiscard]] Overview makeOverview(const ReportDocument& document, const QString& metric);

}  // namespace ulp::views
