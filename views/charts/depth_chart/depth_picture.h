#pragma once

#include <QtCore/QRectF>

#include "views/charts/depth_chart/depth_chart.h"
#include "views/framework/exports/exhibit.h"

namespace ulp::views::charts {

/// All that a picture of a depth chart is made of.
struct DepthPicture {
  DepthData data;
  DepthOptions options;
  Viewport viewport;
  DepthScale scale;
};
[[nodiscard]] DepthPicture pictureOf(const DepthChart& chart);

/// A depth chart on any painter, in `area`, as the widget shows it (depth_exhibit.h).
void paintDepth(QPainter& painter,
                const QRectF& area,
                const DepthPicture& picture,
                const Theme& theme);

/// How an exhibit of a picture is painted.
using PaintPicture = void (*)(QPainter& painter,
                              const QRectF& area,
                              const DepthPicture& picture,
                              const Theme& theme);
/// The chart as it is now.
[[nodiscard]] Exhibit depthExhibit(const DepthChart& chart, PaintPicture paint = paintDepth);

}  // namespace ulp::views::charts
