#pragma once

#include <memory>

#include "views/charts/raster/raster_frame.h"
#include "views/framework/exports/exhibit.h"
#include "views/plugins/heatmap/heatmap_data.h"

namespace ulp::views {

using HeatmapPtr = std::shared_ptr<const Heatmap>;

/// 100 for percentages, which labels and tables show; else 1.
[[nodiscard]] double unitFactor(const MetricInfo& metric);

/// What it shows, in words: "RMS rel, % · modules × layers of bf16".
[[nodiscard]] QString heatmapTitle(const Heatmap& heatmap, const ReportDocument& document);

/// Labels, texts and read-outs of a heatmap. Holds what it needs.
[[nodiscard]] charts::RasterContent heatmapContent(const HeatmapPtr& heatmap,
                                                   const DocumentPtr& document,
                                                   double tallestCell);

/// The scale that shows every value of every variant.
[[nodiscard]] charts::ColorScale fittedScale(const Heatmap& heatmap, charts::ColorMap map);

/// One row a cell: variant, pass, tensor, value, elements that are not numbers.
[[nodiscard]] report::DataTable heatmapTable(const Heatmap& heatmap,
                                             const ReportDocument& document);

[[nodiscard]] Exhibit heatmapExhibit(const HeatmapPtr& heatmap,
                                     const DocumentPtr& document,
                                     const charts::ColorScale& scale);

}  // namespace ulp::views
