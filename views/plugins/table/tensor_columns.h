#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/report/tables/data_table.h"
#include "views/framework/document/noise_runs.h"
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
enum class TensorColumn : int { Tensor, Pass, Layer, Variant, Shape, DType, NonFinite };
inline constexpr int kFirstMetric = static_cast<int>(TensorColumn::NonFinite) + 1;
/// The place of the first column behind all metrics.
[[nodiscard]] int firstSampleColumn(const ReportDocument& document);

/// Everything that is known of a column: how it is shown, sorted, exported and remembered.
struct TensorTableColumn : Column<TensorRow> {
  QString id;       ///< stable, for the settings: "interval"
  MetricInfo info;  ///< label and unit; values that are not in the unit are those of the metric
  bool isOfShownMetric = false;  ///< of the metric that charts show, beside which it stands
  /// By which it is sorted, so that sorting never touches text: texts are replaced by their rank.
  /// NaN: missing. Not to be called by two threads at once.
  std::function<double(const TensorRow&)> key;
  std::function<report::DataCell(const TensorRow&)> exported;
};

/// All columns of a report, which must outlive them. `metric`: the one that charts show; -1: none.
/// Values that are no worse than `noise` are dim.
[[nodiscard]] std::vector<TensorTableColumn> tensorColumns(const ReportDocument& document,
                                                           int metric = -1,
                                                           const NoiseRuns& noise = {});

}  // namespace ulp::views
