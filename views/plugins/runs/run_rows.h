#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/report/tables/data_table.h"
#include "runner/queue/job_state.h"
#include "views/framework/look/theme.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// One run of a job: the reference, or a variant.
struct RunRow {
  QString name;
  QString glyph;
  QString state;
  Severity severity = Severity::Fine;
  double fraction = -1;           ///< of this run, 0 … 1; negative: it does not run
  QString place;                  ///< "forward · model.layers.11", or why it failed
  std::optional<double> left;     ///< seconds
  std::optional<double> elapsed;  ///< seconds
  std::optional<double> seconds;  ///< of the passes alone
  std::optional<double> loss;     ///< may be NaN: the loss came out so
  std::optional<double> peak;     ///< bytes
};

using RunsModel = RowTableModel<RunRow>;

/// In the order of the study. Null: no job.
[[nodiscard]] std::shared_ptr<const std::vector<RunRow>> runRows(const queue::JobState* job);
[[nodiscard]] std::vector<Column<RunRow>> runColumns();
/// The runs as data: seconds and bytes as numbers.
[[nodiscard]] report::DataTable runTable(const QString& study, const std::vector<RunRow>& rows);

}  // namespace ulp::views
