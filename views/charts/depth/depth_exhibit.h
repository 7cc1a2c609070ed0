#pragma once

#include "views/charts/depth/depth_frame.h"
#include "views/framework/exports/exhibit.h"

namespace ulp::views::charts {

/// Of the line of the reference.
inline constexpr float kReferenceAlpha = 0.55F;

/// In device-independent pixels.
struct CurveWidths {
  double plain = 1.4;
  double current = 1.4;  ///< of DepthOptions::currentCurve
};

/// Paints the lines of a frame: the scale of the reference, then the curves. They end at the plot
/// also on devices that do not clip.
void paintCurves(QPainter& painter, const DepthDrawing& drawing, const CurveWidths& widths = {});
/// Paints everything of a frame but the crosshair, in strokes of the painter.
void paintDepthPlot(QPainter& painter, const DepthDrawing& drawing);

/// All that a picture of a depth chart is made of.
struct DepthPicture {
  DepthData data;
  DepthOptions options;
  Viewport viewport;
};
/// Every variant, everything in view.
[[nodiscard]] DepthPicture wholePicture(const DepthData& data);

/// How a picture is painted, on any painter and without a window.
using PaintPicture = void (*)(QPainter& painter,
                              const QRectF& area,
                              const DepthPicture& picture,
                              const Theme& theme);
/// Paints a whole depth chart with its curves: what DepthChart shows, but without crosshair and
/// without the selected row and variant. More variants than direct labels can name get a legend
/// below.
void paintDepth(QPainter& painter,
                const QRectF& area,
                const DepthPicture& picture,
                const Theme& theme);

/// What the chart draws as rows: one a slot within the viewport; columns of values, of elements
/// that are not finite and of jumps where there are any, each with one a visible variant.
[[nodiscard]] report::DataTable depthTable(const DepthPicture& picture);

/// The chart as it leaves the program. Keeps the picture, so that it stays valid. The selected row
/// and variant are not marked in it.
[[nodiscard]] Exhibit depthExhibit(DepthPicture picture, PaintPicture paint = paintDepth);

}  // namespace ulp::views::charts
