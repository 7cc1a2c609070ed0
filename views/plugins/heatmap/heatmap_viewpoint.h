#pragma once

#include "views/charts/raster/raster_widget.h"
#include "views/framework/view/viewpoint.h"
#include "views/plugins/heatmap/heatmap_data.h"

namespace ulp::views {

/// What a raster shows of a heatmap: tensors, and rows by what they are.
[[nodiscard]] Viewpoint viewpointOf(const charts::RasterWidget& raster, const Heatmap& heatmap);
/// The same part of another heatmap, as far as it has such tensors and rows.
void showViewpoint(charts::RasterWidget& raster,
                   const Heatmap& heatmap,
                   const Viewpoint& viewpoint);

}  // namespace ulp::views
