#pragma once

#include <cstdint>
#include <vector>

#include "views/plugins/table/table_order.h"

namespace ulp::views {

/// Columns behind the metrics, of reports that know several samples or a noise floor: the interval
/// and the floor of the metric that charts show, and the signed error of the tensor's size.
enum class SampleColumn : std::uint8_t { Interval, Floor, GainError, GainInterval, Systematic };

/// Those that the report has, in their order.
[[nodiscard]] std::vector<SampleColumn> sampleColumns(const ReportDocument& document);
/// The place of the first of them: behind all metrics.
[[nodiscard]] int firstSampleColumn(const ReportDocument& document);
/// Stable, for the settings: "interval".
[[nodiscard]] QString toText(SampleColumn column);

/// In the unit of the metric's values (a ratio for percentages), 1 or 0 for Systematic; NaN:
/// unknown. `metric`: the one that charts show.
[[nodiscard]] double sampleValue(const ReportDocument& document,
                                 const TensorRow& row,
                                 SampleColumn column,
                                 int metric);

/// What the column's cells are in, for formats and units.
[[nodiscard]] MetricInfo sampleColumnInfo(const ReportDocument& document,
                                          SampleColumn column,
                                          int metric);
[[nodiscard]] QString sampleColumnHelp(SampleColumn column);

}  // namespace ulp::views
