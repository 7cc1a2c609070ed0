#include "app/gui/drop_overlay.h"

#include <QtGui/QPainter>

namespace ulp::app {

DropOverlay::DropOverlay(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  hide();
}

void DropOverlay::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  QColor cover = palette().color(QPalette::Window);
  cover.setAlphaF(0.85F);
  painter.fillRect(rect(), cover);
  painter.setPen(QPen(palette().color(QPalette::Highlight), 2, Qt::DashLine));
  painter.drawRect(rect().adjusted(12, 12, -12, -12));
  QFont larger = font();
  larger.setPointSizeF(larger.pointSizeF() * 1.4);
  painter.setFont(larger);
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(rect(), Qt::AlignCenter, tr("Drop a run folder, a report or a study"));
}

}  // namespace ulp::app
