#pragma once

#include <map>
#include <tuple>

#include <QtGui/QImage>

#include "views/charts/depth/curve_raster.h"
#include "views/charts/depth/depth_frame.h"
#include "views/framework/look/theme.h"

namespace ulp::views::charts {

/// Widths of lines in device-independent pixels.
inline constexpr double kLineWidth = 1.6;
inline constexpr double kCurrentLineWidth = 2.6;

/// Draws the lines and markers of a depth chart into a picture, fast enough to follow the mouse
/// with dozens of curves of thousands of points. Few points go through QPainter, whose strokes are
/// finer; markers are drawn once and then copied.
class DepthRaster {
 public:
  /// Paints the curves and their markers onto `image`: Format_RGB32 with the device pixel ratio of
  /// the widget.
  void paint(QImage& image, const DepthDrawing& drawing, CurveRaster::Detail detail);

 private:
  /// Colour, shape, filling, size, and place within a pixel in quarters.
  using StampKey = std::tuple<QRgb, MarkerShape, QRgb, double, int, int>;

  void stampMarkers(QImage& image, const DepthDrawing& drawing);
  const QImage& stamp(const StampKey& key, double ratio);

  double m_ratio = 1;
  std::map<StampKey, QImage> m_stamps;  ///< of every theme so far: colours are part of the key
};

}  // namespace ulp::views::charts
