#pragma once

#include <memory>
#include <vector>

#include "core/report/tables/data_table.h"
#include "runner/queue/job_state.h"
#include "views/framework/look/theme.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// A job as a line of the queue.
struct JobRow {
  queue::JobId job = 0;
  QString name;
  QString file;
  QString glyph;
  QString state;
  Severity severity = Severity::Fine;
  double fraction = -1;  ///< 0 … 1; negative: it has not begun
  QString reason;        ///< what went wrong; empty: nothing
  double elapsed = -1;   ///< seconds; negative: it has not begun
  double left = -1;      ///< seconds; negative: not known
  double memory = -1;    ///< bytes of its worker now, or its peak when it is over; negative: none
  QString output;
};

using JobsModel = RowTableModel<JobRow>;

[[nodiscard]] std::shared_ptr<const std::vector<JobRow>> jobRows(
    const std::vector<queue::JobStatePtr>& jobs);
[[nodiscard]] std::vector<Column<JobRow>> jobColumns();
/// The queue as data: seconds and bytes as numbers.
[[nodiscard]] report::DataTable jobTable(const std::vector<JobRow>& rows);

}  // namespace ulp::views
