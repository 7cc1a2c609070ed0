#pragma once

#include <QtCore/QRectF>

#include "views/charts/depth_chart.h"
#include "views/framework/exhibit.h"

namespace ulp::views::charts {

/// Lines of a frame: the guide, the reference's scale, the curves. For painters that have no chart.
void paintCurves(QPainter& painter,
                 const DepthFrame& frame,
                 const DepthData& data,
                 const DepthOptions& options,
                 const Theme& theme);

/// All that a picture of a depth chart is made of.
struct DepthPicture {
  DepthData data;
  DepthOptions options;
  Viewport viewport;
  DepthScale scale;
};
[[nodiscard]] DepthPicture pictureOf(const DepthChart& chart);

/// A depth chart on any painter, in `area`, as the widget shows it. More variants than have names
/// at their lines' ends get a legend below.
void paintDepth(QPainter& painter,
                const QRectF& area,
                const DepthPicture& picture,
                const Theme& theme);

/// What is drawn, row by row: name, pass, the reference's scale, then every visible variant with
/// its value, non-finite elements and jump.
[[nodiscard]] report::DataTable depthTable(const QString& title,
                                           const DepthData& data,
                                           const DepthOptions& options);

/// How an exhibit of a picture is painted.
using PaintPicture = void (*)(QPainter& painter,
                              const QRectF& area,
                              const DepthPicture& picture,
                              const Theme& theme);
/// The chart as it is now.
[[nodiscard]] Exhibit depthExhibit(const DepthChart& chart, PaintPicture paint = paintDepth);

}  // namespace ulp::views::charts
