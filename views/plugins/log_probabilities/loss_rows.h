#pragma once

#include <optional>
#include <vector>

#include "views/framework/document/report_document.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// A number of a run's step beside that of the baseline: the loss, a term of it, a metric of the
/// term, or a count of its clip decisions.
struct LossRow {
  QString run{};
  int style = 0;
  QString term{};      ///< "gspo"; empty: of the whole step
  QString quantity{};  ///< "loss", "ratio_mean", "clipped below"
  double value = 0;
  std::optional<double> baseline{};  ///< none of flips
  bool isCount = false;
  double total = 0;  ///< what a count is a part of; 0: nothing
};

/// Significant digits of losses, which differ in digits that errors do not need.
inline constexpr int kLossDigits = 7;

using LossModel = RowTableModel<LossRow>;

/// Of all finished runs but the baseline; none where the report says nothing of losses.
[[nodiscard]] std::vector<LossRow> makeLossRows(const ReportDocument& document,
                                                const QStringList& chosen = {});
[[nodiscard]] std::vector<Column<LossRow>> lossColumns();

}  // namespace ulp::views
