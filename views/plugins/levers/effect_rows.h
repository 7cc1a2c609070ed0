#pragma once

#include <compare>
#include <vector>

#include <QtCore/QString>

#include "core/analysis/studies/lever_effects.h"
#include "core/report/tables/data_table.h"
#include "views/framework/tables/row_table_model.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views {

/// How much a lever changes, compared in this order.
struct EffectSize {
  int broken = 0;       ///< columns in which one side of a pair alone is not finite
  double strength = 0;  ///< how far the effect is from none
  double reach = 0;     ///< the largest error: what tells steps from zero apart
  friend auto operator<=>(const EffectSize&, const EffectSize&) = default;
};

/// A lever moved from a value to another.
struct EffectRow {
  QString lever;
  QString from;
  QString to;
  analysis::LeverMove move;
  int strongest = -1;  ///< column that changes most, the loss aside; -1: none changes
  EffectSize size{};   ///< there; its `broken` are those of all columns
  /// By column, parallel to the cells of the move: the largest error of a step from 0, which is no
  /// factor.
  std::vector<double> fromZero{};
};

using EffectModel = RowTableModel<EffectRow>;

[[nodiscard]] std::vector<EffectRow> makeEffectRows(const analysis::LeverTable& table);
/// The columns of the passes that every study has, and those in which some of `rows` has a number.
[[nodiscard]] std::vector<Column<EffectRow>> effectColumns(bool isRatio,
                                                           const MetricInfo& metric,
                                                           const std::vector<EffectRow>& rows);
[[nodiscard]] report::DataTable effectData(const QString& title,
                                           bool isRatio,
                                           const MetricInfo& metric,
                                           const std::vector<EffectRow>& rows);
/// "× 0.23" of a factor, "+1.4 dB" of a difference; "–" where there is none.
[[nodiscard]] QString effectText(double effect, bool isRatio, const MetricInfo& metric);
/// One sentence on the lever that pays most; empty: there is none.
[[nodiscard]] QString effectHeadline(const analysis::LeverTable& table,
                                     const std::vector<EffectRow>& rows,
                                     const MetricInfo& metric);

}  // namespace ulp::views
