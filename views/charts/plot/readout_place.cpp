#include "views/charts/plot/readout_place.h"

#include <algorithm>

#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

#include "views/charts/plot/chart_measures.h"

namespace ulp::views::charts {

double leftWithin(const QPainter& painter, double left, double width) {
  const QRectF device = painter.transform().inverted().mapRect(QRectF(painter.window()));
  return std::max(device.left(), std::min(left, device.right() - width));
}

QRectF paintReadoutBox(QPainter& painter,
                       const QRectF& box,
                       const QString& title,
                       const Theme& theme) {
  const QFont plain = painter.font();
  QColor background = theme.palette.color(QPalette::ToolTipBase);
  background.setAlphaF(0.96F);
  painter.setPen(QPen(theme.gridStrong, 1));
  painter.setBrush(background);
  painter.drawRoundedRect(box, 3, 3);
  QFont bold = plain;
  bold.setBold(true);
  const QRectF line(box.left() + kGap,
                    box.top() + kGap / 2,
                    box.width() - 2 * kGap,
                    QFontMetricsF(plain).height() + 2);
  painter.setPen(theme.palette.color(QPalette::ToolTipText));
  painter.setFont(bold);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title);
  painter.setFont(plain);
  return line;
}

}  // namespace ulp::views::charts
