#pragma once

#include <memory>
#include <vector>

#include "core/report/summary/summary.h"
#include "core/report/tables/data_table.h"
#include "views/framework/document/noise_runs.h"
#include "views/framework/document/report_document.h"
#include "views/framework/look/sparkline.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// A run in the overview: the reference, or a variant with its summary.
struct OverviewRow {
  QString run;
  int style = -1;  ///< -1: the reference
  report::RunStatus status = report::RunStatus::Pending;
  /// What the table shows: places in summaryColumns(), the same in all rows.
  std::vector<std::size_t> columns;
  std::vector<report::SummaryCell> cells;  ///< parallel to columns; empty: nothing yet
  double loss = 0;
  bool hasLoss = true;        ///< else `loss` is NaN without being one
  std::uint64_t samples = 1;  ///< whose mean the loss is
  report::Spread lossSpread{};
  double flips = kUndefined;          ///< of clip decisions; NaN: none made
  double flippedTokens = kUndefined;  ///< share; NaN: there are no routers
  double seconds = 0;
  std::uint64_t peakBytes = 0;
  QString error;
  int worstCell = -1;             ///< of the whole table, in the row that has it
  std::vector<bool> withinNoise;  ///< parallel to cells; empty: nothing is known of noise
  std::vector<double> floors;     ///< what noise does to the cells, parallel; NaN: unknown
  SparklinePtr depth;             ///< error by depth, forward then backward; null: nothing yet
};

using OverviewModel = RowTableModel<OverviewRow>;

/// What the overview shows of a report under one metric.
struct Overview {
  std::shared_ptr<const std::vector<OverviewRow>> rows;
  std::vector<Column<OverviewRow>> columns;
  QString headline;  ///< what dim numbers and intervals mean
};

/// Column of summary cell 0; before it stand the run and its error by depth.
inline constexpr int kFirstCell = 2;

[[nodiscard]] Overview makeOverview(const ReportDocument& document,
                                    const QString& metric,
                                    const NoiseRuns& noise = {});

/// OverviewRow::columns of all rows.
[[nodiscard]] std::vector<std::size_t> columnsIn(const std::vector<OverviewRow>& rows);
/// Whether any run counted clip decisions that flip.
[[nodiscard]] bool hasFlips(const std::vector<OverviewRow>& rows);
/// Whether any run has routers.
[[nodiscard]] bool hasRouters(const std::vector<OverviewRow>& rows);

/// Gives the table as data, as it leaves the program: intervals and noise in columns of their own
/// (overview_data.cpp).
[[nodiscard]] report::DataTable overviewData(const QString& title,
                                             const std::vector<OverviewRow>& rows);

}  // namespace ulp::views
