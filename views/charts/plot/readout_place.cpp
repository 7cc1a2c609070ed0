#include "views/charts/plot/readout_place.h"

#include <algorithm>

#include <QtGui/QPainter>

namespace ulp::views::charts {

double leftWithin(const QPainter& painter, double left, double width) {
  const QRectF device = painter.transform().inverted().mapRect(QRectF(painter.window()));
  return std::max(device.left(), std::min(left, device.right() - width));
}

}  // namespace ulp::views::charts
