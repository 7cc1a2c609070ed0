#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/report/tables/data_table.h"
#include "runner/queue/job_state.h"
#include "views/framework/tables/row_table_model.h"
#include "views/framework/widgets/severity.h"

namespace ulp::views {

/// A job as a line of the queue, or one of its runs: the reference, or a variant.
struct RunRow {
  queue::JobId job = 0;  ///< 0: a run
  QString name;
  QString label;    ///< the name as it is shown
  QString toolTip;  ///< of the name
  StateText state;
  std::optional<double> fraction;  ///< done, 0 … 1; nothing: a job that waits, a run not under way
  std::optional<double> left;      ///< seconds
  std::optional<double> elapsed;   ///< seconds
  std::optional<double> seconds;   ///< of the passes of a run alone
  std::optional<double> loss;      ///< of a run; may be NaN: the loss came out so
  std::optional<double> memory;    ///< bytes: of a worker now, or the peak of what is over
  /// Folder of a job's results; of a run "forward · model.layers.11", or why it failed.
  QString place;
  QString reason;  ///< why a job failed; empty: it did not
};

using RunsModel = RowTableModel<RunRow>;

[[nodiscard]] RunsModel::Rows jobRows(const std::vector<queue::JobStatePtr>& jobs);
[[nodiscard]] std::vector<Column<RunRow>> jobColumns();
/// The queue as data: seconds and bytes as numbers.
[[nodiscard]] report::DataTable jobTable(const std::vector<RunRow>& rows);

/// In the order of the study. Null: no job.
[[nodiscard]] RunsModel::Rows runRows(const queue::JobState* job);
[[nodiscard]] std::vector<Column<RunRow>> runColumns();
/// The runs as data: seconds and bytes as numbers.
[[nodiscard]] report::DataTable runTable(const QString& study, const std::vector<RunRow>& rows);

}  // namespace ulp::views
