#pragma once

#include "views/plugins/heatmap/heatmap_data.h"

namespace ulp::views {

/// A variant has errors by position of the sequence, as those of a study have in which the
/// reference continues prompts.
[[nodiscard]] bool hasPositions(const ReportDocument& document);

/// Tells whether a metric can be told of a position, of which a report has the RMS of differences
/// and reference.
[[nodiscard]] bool isKnownByPosition(const MetricInfo& metric);
/// The metrics of a report that can.
[[nodiscard]] std::vector<MetricInfo> metricsByPosition(const ReportDocument& document);

/// One row a position of the request's variant, the tensors of level layer as columns. Reads which
/// tokens these are beside the report, where there is one sequence. Errors:
/// NotFound where the variant has no errors by position; InvalidArgument for a metric that is not
/// known by position.
[[nodiscard]] Result<Heatmap> positionsByLayer(const ReportDocument& document,
                                               const HeatmapRequest& request);

/// Marks the logits of positions at which a token has another largest logit; empty: there is none.
[[nodiscard]] std::vector<std::uint8_t> flipMarks(const Heatmap& heatmap);

/// In how many of the sequences a position has another largest logit; empty where the row or column
/// says nothing of it.
[[nodiscard]] QString topsText(const Heatmap& heatmap, int row, int column);

}  // namespace ulp::views
