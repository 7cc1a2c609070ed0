#include "views/plugins/tensor/inspector/plot.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtGui/QFontMetricsF>
#include <QtGui/QHelpEvent>
#include <QtGui/QPainter>
#include <QtGui/QPainterPath>
#include <QtWidgets/QToolTip>

#include "views/charts/plot/painting.h"

namespace ulp::views {
namespace {

using charts::kGap;

constexpr double kBarHeight = 4;

QColor colorOf(const PlotCurve& curve, const Theme& theme) {
  return curve.isDifference ? theme.palette.color(QPalette::Text)
                            : theme.variantStyle(curve.style).color;
}

/// A line of text with its bar below.
double barRow(const QFontMetricsF& metrics) {
  return std::ceil(metrics.height()) + kBarHeight + 2;
}

void drawGrid(QPainter& painter,
              const Plot& plot,
              const charts::PlotMap& map,
              const QRectF& area,
              const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  for (const charts::Tick& tick : plot.yTicks) {
    const double y = std::round(map.pixelY(tick.position)) + 0.5;
    painter.setPen(QPen(tick.strong ? theme.gridStrong : theme.grid, 1));
    painter.drawLine(QPointF(map.plot.left(), y), QPointF(map.plot.right(), y));
    painter.setPen(theme.axisText);
    painter.drawText(
        QRectF(map.plot.left() - 100 - kGap / 2, y - metrics.height() / 2, 100, metrics.height()),
        Qt::AlignRight | Qt::AlignVCenter,
        tick.label);
  }
  double free = area.left();
  for (const charts::Tick& tick : plot.xTicks) {
    const double x = std::round(map.pixelX(tick.position)) + 0.5;
    painter.setPen(QPen(tick.strong ? theme.gridStrong : theme.grid, 1));
    charts::drawVertical(painter, map.plot, map.pixelX(tick.position));
    const double width = metrics.horizontalAdvance(tick.label);
    const double left = std::min(x - width / 2, area.right() - width - 2);
    if (left < free || tick.label.isEmpty()) {
      continue;
    }
    free = left + width + kGap;
    painter.setPen(theme.axisText);
    painter.drawText(QRectF(left, map.plot.bottom() + 2, width + 1, metrics.height()),
                     Qt::AlignLeft | Qt::AlignTop,
                     tick.label);
  }
  painter.setPen(theme.dimText);
  painter.drawText(QRectF(map.plot.left(),
                          map.plot.bottom() + 2 + metrics.height(),
                          map.plot.width(),
                          metrics.height() + 2),
                   Qt::AlignCenter,
                   metrics.elidedText(plot.xTitle, Qt::ElideRight, map.plot.width()));
}

QPainterPath pathOf(const PlotCurve& curve, const charts::PlotMap& map) {
  QPainterPath path;
  bool isOpen = false;
  for (const QPointF& point : curve.points) {
    if (!std::isfinite(point.y())) {
      isOpen = false;
      continue;
    }
    const QPointF at(map.pixelX(point.x()), map.pixelY(point.y()));
    if (!isOpen) {
      path.moveTo(at);
    } else if (curve.isSteps) {
      path.lineTo(QPointF(at.x(), path.currentPosition().y()));
      path.lineTo(at);
    } else {
      path.lineTo(at);
    }
    isOpen = true;
  }
  return path;
}

void drawCurves(QPainter& painter,
                const Plot& plot,
                const charts::PlotMap& map,
                const Theme& theme) {
  painter.save();
  painter.setClipRect(map.plot.adjusted(0, -1, 0, 1));
  painter.setRenderHint(QPainter::Antialiasing);
  for (const PlotCurve& curve : plot.curves) {
    const QColor color = colorOf(curve, theme);
    const QPainterPath path = pathOf(curve, map);
    if (curve.isFilled && !path.isEmpty()) {
      QPainterPath area = path;
      area.lineTo(QPointF(path.currentPosition().x(), map.plot.bottom()));
      area.lineTo(QPointF(path.elementAt(0).x, map.plot.bottom()));
      painter.fillPath(area, charts::translucent(color, 0.15F));
    }
    QPen pen(color, 1.5);
    if (curve.isDifference) {
      pen.setDashPattern({4, 2});
    }
    painter.setPen(pen);
    painter.drawPath(path);
  }
  painter.restore();
}

void drawBars(QPainter& painter, const Plot& plot, const charts::PlotMap& map, const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  const double row = barRow(metrics);
  double top = map.plot.top() - kGap / 2 - row * static_cast<double>(plot.bars.size());
  for (const PlotBar& bar : plot.bars) {
    const double barTop = top + row - kBarHeight - 1;
    const auto place = [&](double from, double to) {
      const double left = std::clamp(map.pixelX(from), map.plot.left(), map.plot.right());
      const double right = std::clamp(map.pixelX(to), map.plot.left(), map.plot.right());
      return QRectF(left, barTop, right - left, kBarHeight);
    };
    painter.fillRect(place(bar.from, bar.to), theme.axisText);
    painter.fillRect(place(bar.fadeFrom, bar.from), charts::translucent(theme.axisText, 0.35F));
    const QRectF line(map.plot.left(), top, map.plot.width(), metrics.height());
    painter.setPen(theme.palette.color(QPalette::Text));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, bar.name);
    painter.setPen(theme.axisText);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, bar.note);
    // Where a format ends is drawn through the curves, so that what lies beyond is seen.
    painter.setPen(QPen(theme.gridStrong, 1, Qt::DotLine));
    for (const double limit : {bar.from, bar.to}) {
      const double x = std::round(map.pixelX(limit)) + 0.5;
      if (x > map.plot.left() && x < map.plot.right()) {
        painter.drawLine(QPointF(x, map.plot.top()), QPointF(x, map.plot.bottom()));
      }
    }
    top += row;
  }
}

void drawLegend(QPainter& painter, const Plot& plot, const QRectF& line, const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  double left = line.left();
  for (const PlotCurve& curve : plot.curves) {
    const double width = metrics.horizontalAdvance(curve.name) + 20;
    if (curve.name.isEmpty() || left + width > line.right()) {
      continue;
    }
    QPen pen(colorOf(curve, theme), 2);
    if (curve.isDifference) {
      pen.setDashPattern({2, 1});
    }
    painter.setPen(pen);
    painter.drawLine(QPointF(left, line.center().y()), QPointF(left + 14, line.center().y()));
    painter.setPen(theme.axisText);
    painter.drawText(QRectF(left + 18, line.top(), width, line.height()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     curve.name);
    left += width + 12;
  }
  if (!plot.nonFinite.isEmpty()) {
    painter.setPen(theme.nonFinite);
    painter.drawText(QRectF(left, line.top(), line.right() - left, line.height()),
                     Qt::AlignRight | Qt::AlignVCenter,
                     plot.nonFinite);
  }
}

void drawMarks(QPainter& painter,
               const Plot& plot,
               const charts::PlotMap& map,
               const Theme& theme) {
  painter.setPen(QPen(theme.axisText, 1, Qt::DashLine));
  for (const double mark : plot.marks) {
    charts::drawVertical(painter, map.plot, map.pixelX(mark));
  }
  if (plot.hasDiagonal) {
    painter.drawLine(map.plot.bottomLeft(), map.plot.topRight());
  }
}

}  // namespace

charts::PlotMap plotMap(const Plot& plot, const QRectF& area, const QFont& font) {
  const QFontMetricsF metrics(font);
  const double top = kGap + 2 * metrics.height() + kGap / 2 + (plot.bars.empty() ? 0 : kGap / 2) +
                     barRow(metrics) * static_cast<double>(plot.bars.size());
  const double left = kGap + charts::widestLabel(plot.yTicks, metrics) + kGap;
  const double bottom = 2 * metrics.height() + kGap;
  return {.plot = QRectF(area.left() + left,
                         area.top() + top,
                         std::max(1.0, area.width() - left - 2 * kGap),
                         std::max(1.0, area.height() - top - bottom)),
          .x = plot.x,
          .y = plot.y};
}

void paintPlot(QPainter& painter,
               const QRectF& area,
               const Plot& plot,
               const Theme& theme,
               const std::function<void(QPainter&, const charts::PlotMap&)>& below) {
  const QFontMetricsF metrics(painter.font());
  painter.save();
  painter.fillRect(area, theme.chartBackground);
  const QRectF title(
      area.left() + kGap, area.top() + kGap / 2, area.width() - 2 * kGap, metrics.height());
  if (!plot.empty.isEmpty()) {
    painter.setPen(theme.dimText);
    painter.drawText(area.adjusted(kGap, kGap, -kGap, -kGap),
                     static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap,
                     plot.empty);
    painter.restore();
    return;
  }
  painter.setPen(theme.palette.color(QPalette::Text));
  painter.drawText(title,
                   Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(plot.title, Qt::ElideRight, title.width()));
  drawLegend(painter, plot, title.translated(0, metrics.height() + 2), theme);
  const charts::PlotMap map = plotMap(plot, area, painter.font());
  if (below) {
    below(painter, map);
  }
  drawGrid(painter, plot, map, area, theme);
  drawCurves(painter, plot, map, theme);
  drawBars(painter, plot, map, theme);
  drawMarks(painter, plot, map, theme);
  painter.restore();
}

PaintedChart::PaintedChart(const QString& name, QWidget* parent)
    : QWidget(parent), m_theme(lightTheme()) {
  setAccessibleName(name);
  setAttribute(Qt::WA_OpaquePaintEvent);
}

void PaintedChart::setTheme(const Theme& theme) {
  m_theme = theme;
  update();
}

void PaintedChart::setContent(Paint paint, Readout readout, const QString& description) {
  m_paint = std::move(paint);
  m_readout = std::move(readout);
  setAccessibleDescription(description);
  update();
}

QSize PaintedChart::minimumSizeHint() const {
  const int em = fontMetrics().height();
  return {12 * em, 8 * em};
}

void PaintedChart::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setFont(font());
  painter.fillRect(rect(), m_theme.chartBackground);
  if (m_paint) {
    m_paint(painter, QRectF(rect()), m_theme);
  }
}

bool PaintedChart::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !m_readout) {
    return QWidget::event(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString text = m_readout(QPointF(help->pos()), QRectF(rect()));
  if (text.isEmpty()) {
    QToolTip::hideText();
  } else {
    QToolTip::showText(help->globalPos(), text, this);
  }
  return true;
}

}  // namespace ulp::views
