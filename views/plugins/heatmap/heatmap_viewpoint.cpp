#include "views/plugins/heatmap/heatmap_viewpoint.h"

#include "views/charts/depth_chart/depth_viewpoint.h"

namespace ulp::views {
namespace {

using charts::Range;

constexpr QLatin1StringView kColumnsId("tensors");

QString rowsId(const Heatmap& heatmap) {
  return QStringLiteral("rows/") + infoOf(heatmap.mode).id;
}

NamedAxis rowNames(const Heatmap& heatmap) {
  return {.count = heatmap.rowCount(), .at = [&heatmap](int index) {
            return AxisName{.name = heatmap.rows[static_cast<std::size_t>(index)].label};
          }};
}

/// A cell reaches from its index to the next one, a position half to either side.
AxisPart positionsOf(const Range& cells) {
  return {.low = cells.low - 0.5, .high = cells.high - 0.5};
}

Range cellsOf(const NamedAxis& axis, const NamedSpan* span, const Range& seen, const Range& all) {
  if (span == nullptr) {
    return seen;
  }
  if (span->isWhole) {
    return all;
  }
  const std::optional<AxisPart> part = partOf(axis, *span);
  return part ? Range{part->low + 0.5, part->high + 0.5} : seen;
}

}  // namespace

Viewpoint viewpointOf(const charts::RasterWidget& raster, const Heatmap& heatmap) {
  const charts::Viewport& seen = raster.viewRange();
  Viewpoint viewpoint;
  viewpoint.names.push_back(spanOf(kColumnsId,
                                   charts::namesOf(heatmap.columns),
                                   positionsOf(seen.x()),
                                   seen.x() == seen.fullX()));
  viewpoint.names.push_back(
      spanOf(rowsId(heatmap), rowNames(heatmap), positionsOf(seen.y()), seen.y() == seen.fullY()));
  return viewpoint;
}

void showViewpoint(charts::RasterWidget& raster,
                   const Heatmap& heatmap,
                   const Viewpoint& viewpoint) {
  const charts::Viewport& seen = raster.viewRange();
  const Range x = cellsOf(
      charts::namesOf(heatmap.columns), viewpoint.findNames(kColumnsId), seen.x(), seen.fullX());
  const Range y =
      cellsOf(rowNames(heatmap), viewpoint.findNames(rowsId(heatmap)), seen.y(), seen.fullY());
  raster.setViewRange(x, y);
}

}  // namespace ulp::views
