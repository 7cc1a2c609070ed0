#pragma once

#include <vector>

#include <QtCore/QRectF>

#include "views/charts/plot/ticks.h"
#include "views/charts/raster/color_scale.h"

class QPainter;

namespace ulp::views::charts {

/// Labels of a colour scale over `positions` (axis units) that is `width` pixels wide; values times
/// `factor`, 100 for percentages.
[[nodiscard]] std::vector<Tick> scaleTicks(ScaleKind kind,
                                           const Range& positions,
                                           double width,
                                           double factor);

/// Paints the colours of a scale, the lowest at the left.
void paintColors(QPainter& painter, const QRectF& area, const ScaleColors& colors);

/// The legend of an exported raster: the colours with their values, and the four other looks with
/// their counts. `area` is filled from its top; scaleBarHeight() says how much of it.
void paintScaleBar(QPainter& painter,
                   const QRectF& area,
                   const ColorScale& scale,
                   const ClassCounts& counts,
                   double factor,
                   const Theme& theme);
[[nodiscard]] double scaleBarHeight(const QPainter& painter);

/// Names of the looks that are no colours of the map, in the order of legends.
struct ClassName {
  CellClass look = CellClass::Missing;
  QString name;
  std::uint64_t count = 0;
};
[[nodiscard]] std::vector<ClassName> classNames(const ClassCounts& counts);

}  // namespace ulp::views::charts
