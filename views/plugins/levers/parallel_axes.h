#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QtCore/QString>

#include "core/analysis/studies/lever_effects.h"
#include "core/report/tables/data_table.h"
#include "views/charts/plot/viewport.h"
#include "views/framework/document/report_document.h"

namespace ulp::views {

/// Where a line crosses an axis.
struct AxisPoint {
  enum class Kind : std::uint8_t { Missing, Value, NonFinite };
  Kind kind = Kind::Missing;
  double place =
      0;         ///< 0 … 1 from the bottom of the axis; kNonFinitePlace where it is not a number
  QString text;  ///< the value as people read it
  Site site;     ///< where an error comes from; name empty: none
  std::uint64_t nonFinite = 0;  ///< elements behind the value that are not finite
};

/// Above every number.
inline constexpr double kNonFinitePlace = 1.12;

struct AxisTick {
  double place = 0;
  QString text;
  double lift = 0;  ///< how far above its place the text stands: above the lines of a setting
};

/// A vertical axis: a lever with its settings, or a column of the summary with its range.
struct ParallelAxis {
  QString title;
  QString group;  ///< of neighbouring axes
  QString toolTip;
  bool isLever = false;
  std::vector<AxisTick> ticks;
};

/// A variant over all axes.
struct ParallelLine {
  QString run;
  int style = 0;
  std::vector<AxisPoint> points;  ///< parallel to the axes
};

/// Everything that a parallel-coordinates chart draws: configurations at the left, errors in the
/// order of the pass at the right, a line a variant.
struct ParallelData {
  MetricInfo metric;
  std::vector<ParallelAxis> axes;
  std::vector<ParallelLine> lines;
};

/// `oneScale`: all errors on one axis range, so that their heights compare; else every axis spans
/// its own values.
[[nodiscard]] ParallelData makeParallelData(const ReportDocument& document,
                                            const analysis::LeverTable& table,
                                            const MetricInfo& metric,
                                            bool oneScale);
[[nodiscard]] report::DataTable parallelTable(const QString& title,
                                              const analysis::LeverTable& table,
                                              const MetricInfo& metric);
/// Makes the column, of exported tables, of an entry of report::summaryColumns().
[[nodiscard]] report::DataColumn summaryDataColumn(std::size_t column, const QString& unit);

/// What part of each axis a line must cross to be shown in full; nothing: all of it.
using AxisBrushes = std::vector<std::optional<charts::Range>>;

/// Which lines cross every brush. A missing point crosses none.
[[nodiscard]] std::vector<bool> brushedLines(const ParallelData& data, const AxisBrushes& brushes);

}  // namespace ulp::views
