#pragma once

#include <memory>
#include <vector>

#include "core/report/data_table.h"
#include "runner/queue/job_state.h"
#include "views/framework/row_table_model.h"
#include "views/framework/theme.h"

namespace ulp::views {

/// A line of the queue: a job, or one run of the job above it.
struct QueueRow {
  queue::JobId job = 0;
  bool isJob = false;
  QString name;
  QString glyph;
  QString state;
  Severity severity = Severity::Fine;
  double fraction = -1;  ///< 0 … 1; negative: nothing to show
  QString progress;      ///< "forward · model.layers.11", or the error of a failed run
  QString time;          ///< "12.3 s", "3 min 04 s left"
  double loss = 0;       ///< NaN: not known
};

using QueueModel = RowTableModel<QueueRow>;

/// Newest job first, each followed by its runs in order.
[[nodiscard]] std::shared_ptr<const std::vector<QueueRow>> queueRows(
    const std::vector<queue::JobStatePtr>& jobs);
[[nodiscard]] std::vector<Column<QueueRow>> queueColumns();

/// The queue as data.
[[nodiscard]] report::DataTable queueTable(const std::vector<QueueRow>& rows);

}  // namespace ulp::views
