#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/report/tables/data_table.h"
#include "views/framework/document/noise_runs.h"
#include "views/framework/document/rule_verdicts.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// A row of the tensor table: one comparison.
struct TensorRow {
  std::int32_t variant = 0;
  std::int32_t site = 0;
};

/// Columns before the metrics. A metric m is column kFirstMetric + m; behind them stand, in reports
/// that know several samples or a noise floor, the interval and the floor of the metric that charts
/// show, and the signed error of the tensor's size.
enum class TensorColumn : int { Tensor, Pass, Layer, Variant, Shape, DType, NonFinite, Rules };
inline constexpr int kFirstMetric = static_cast<int>(TensorColumn::Rules) + 1;
/// The place of the first column behind all metrics.
[[nodiscard]] int firstSampleColumn(const ReportDocument& document);

/// Everything that is known of a column: how it is shown, sorted, exported and remembered.
struct TensorTableColumn : Column<TensorRow> {
  QString id;       ///< stable, for the settings: "interval"
  MetricInfo info;  ///< label and unit of the heading; `key` gives values before inUnit()
  bool isOfShownMetric = false;  ///< of the metric that charts show, beside which it stands
  /// Gives the number by which a row is sorted (texts: their rank); NaN: missing. Not to be called
  /// by two threads at once.
  std::function<double(const TensorRow&)> key;
  /// Gives the cell for exports, in the unit of the column.
  std::function<report::DataCell(const TensorRow&)> exported;
};

/// Makes all columns of a report, which must outlive them. `metric`: the one that charts show; -1:
/// none. Values that are no worse than `noise` are dim. `verdicts`: what rules say; null: nothing.
[[nodiscard]] std::vector<TensorTableColumn> tensorColumns(const ReportDocument& document,
                                                           int metric = -1,
                                                           const NoiseRuns& noise = {},
                                                           const RuleVerdictsPtr& verdicts = {});

}  // namespace ulp::views
