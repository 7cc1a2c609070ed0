#pragma once

#include <vector>

#include "views/plugins/heatmap/heatmap_data.h"

namespace ulp::views {

/// A variant has a step, or a rank.
[[nodiscard]] bool hasUnits(const ReportDocument& document, HeatmapMode mode);

/// Which units a row takes its values from: where its number leaves several, the other axes choose.
struct UnitFilter {
  QString id;     ///< stable; empty: all of them, of which each cell shows the worst
  QString title;  ///< "rank 1", "worst of all ranks"; empty: there is nothing to choose
};
/// All of them first, then each combination of the other axes; one alone where a step or rank is
/// one unit.
[[nodiscard]] std::vector<UnitFilter> unitFilters(const ReportDocument& document, HeatmapMode mode);

/// One row for each step, or rank, that any variant has, in numeric order; with units of which the
/// report has none every cell is missing. Each cell is the worst of its units: one with elements
/// that are no numbers, else the worst value.
[[nodiscard]] Heatmap unitsByLayer(const ReportDocument& document, const HeatmapRequest& request);

/// Marks the cells at which a spike of the metric shown begins, of steps of one dump.
void markSpikes(Heatmap& heatmap, const ReportDocument& document, const HeatmapRequest& request);

/// The row of a variant; -1: it has none, or the heatmap shows other units of its number.
[[nodiscard]] int unitRow(const Heatmap& heatmap, const ReportDocument& document, int variant);

}  // namespace ulp::views
