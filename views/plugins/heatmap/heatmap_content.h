#pragma once

#include <memory>

#include <QtCore/QStringList>

#include "views/charts/raster/raster_frame.h"
#include "views/framework/exports/exhibit.h"
#include "views/framework/view/view_registry.h"
#include "views/plugins/heatmap/heatmap_data.h"

namespace ulp::views {

using HeatmapPtr = std::shared_ptr<const Heatmap>;

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

/// What drawHeatmap() draws: variants, modules of the first variant, its samples, and steps and
/// ranks of a comparison of dumps, each cell the worst of its units.
[[nodiscard]] QStringList heatmapSubjects();

/// Draws a heatmap without a window. Called on any thread. Errors: NotFound where the report has no
/// such rows or columns.
[[nodiscard]] Result<Exhibit> drawHeatmap(const DrawRequest& request);

}  // namespace ulp::views
