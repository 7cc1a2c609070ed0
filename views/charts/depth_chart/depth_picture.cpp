#include "views/charts/depth_chart/depth_picture.h"

#include <QtGui/QPainter>

#include "views/charts/depth/depth_exhibit.h"

namespace ulp::views::charts {

DepthPicture pictureOf(const DepthChart& chart) {
  return {.data = chart.data(),
          .options = chart.options(),
          .viewport = chart.viewRange(),
          .scale = chart.frame().scale};
}

void paintDepth(QPainter& painter,
                const QRectF& area,
                const DepthPicture& picture,
                const Theme& theme) {
  painter.fillRect(area, theme.chartBackground);
  paintDepth(painter, area, picture.data, picture.options, picture.viewport, theme);
}

Exhibit depthExhibit(const DepthChart& chart, PaintPicture paint) {
  Exhibit exhibit = depthExhibit(chart.data(), chart.options(), chart.viewRange());
  DepthPicture picture = pictureOf(chart);
  picture.options.currentSlot = -1;
  picture.options.currentCurve = -1;
  exhibit.paint = [picture, paint](QPainter& painter, const QRectF& area, const Theme& theme) {
    paint(painter, area, picture, theme);
  };
  return exhibit;
}

}  // namespace ulp::views::charts
