#include "views/plugins/experts/flip_painter.h"

#include <algorithm>
#include <cmath>

#include <QtCore/QCoreApplication>
#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

#include "views/charts/plot/painting.h"
#include "views/framework/look/variant_painter.h"
#include "views/framework/words/elided_text.h"

namespace ulp::views {
namespace {

using charts::kGap;
using charts::kLabelGap;
using charts::Range;
using charts::Tick;

constexpr double kReach = 12;  ///< pixels from which a point can be taken
constexpr double kMarker = 7;
constexpr double kSampleWidth = 26;
constexpr double kLayersPart = 0.6;  ///< of the width
constexpr double kHeadroom = 1.08;   ///< above the largest share
constexpr double kBelowPlot = 6;     ///< pixels between it and its labels: markers stand on 0
/// Of fewer tokens a share says little: its marker is hollow.
constexpr std::uint64_t kFewTokens = 10;

struct FlipPainterWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Experts)
};

/// Labels of the layers that do not touch.
std::vector<Tick> layerTicks(const FlipData& data, double width, const QFontMetricsF& metrics) {
  std::vector<Tick> ticks;
  double widest = 0;
  for (std::size_t i = 0; i < data.routers.size(); ++i) {
    const int layer = data.routers[i].layer;
    const QString label = layer < 0 ? QString::number(i) : QString::number(layer);
    ticks.push_back({.position = static_cast<double>(i), .label = label});
    widest = std::max(widest, metrics.horizontalAdvance(label));
  }
  const double each = width / static_cast<double>(std::max<std::size_t>(1, ticks.size()));
  const int step = charts::labelStep(each, widest + kLabelGap);
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    if (i % static_cast<std::size_t>(step) != 0) {
      ticks[i].label.clear();
    }
  }
  return ticks;
}

Range sharesUpTo(double largest) {
  constexpr double kLeast = 1e-4;
  return {0, std::max(largest, kLeast) * kHeadroom};
}

/// The plot of a panel between its labels.
FlipPanel panelIn(const QRectF& area,
                  const Range& x,
                  double largest,
                  const QFontMetricsF& metrics) {
  FlipPanel panel;
  const Range y = sharesUpTo(largest);
  const double below = 2 * metrics.height() + kBelowPlot + kGap / 2;
  const double above = metrics.height() + kGap;
  const double height = std::max(1.0, area.height() - below - above);
  const int labels = std::max(2, static_cast<int>(height / (2 * metrics.height())));
  panel.y = charts::linearTicks(y, labels, 100);
  const double left = charts::widestLabel(panel.y, metrics) + kLabelGap + kGap;
  panel.map.plot = QRectF(area.left() + left,
                          area.top() + above,
                          std::max(1.0, area.width() - left - 2 * kGap),
                          height);
  panel.map.x = x;
  panel.map.y = y;
  return panel;
}

void drawAxes(QPainter& painter,
              const FlipPanel& panel,
              const QString& title,
              const QString& below,
              const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  const QRectF& plot = panel.map.plot;
  for (const Tick& tick : panel.y) {
    const double y = std::round(panel.map.pixelY(tick.position)) + 0.5;
    painter.setPen(QPen(tick.position == 0 ? theme.gridStrong : theme.grid, 1));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setPen(theme.axisText);
    painter.drawText(QRectF(0, y - metrics.height() / 2, plot.left() - kLabelGap, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter,
                     tick.label);
  }
  painter.setPen(theme.axisText);
  for (const Tick& tick : panel.x) {
    const double x = panel.map.pixelX(tick.position);
    painter.drawText(QRectF(x - 60, plot.bottom() + kBelowPlot, 120, metrics.height()),
                     Qt::AlignHCenter | Qt::AlignTop,
                     tick.label);
  }
  painter.setPen(theme.dimText);
  const double width = plot.width() + kGap;
  painter.drawText(
      QRectF(plot.left(), plot.bottom() + kBelowPlot + metrics.height(), width, metrics.height()),
      Qt::AlignHCenter | Qt::AlignTop,
      elidedText(below, metrics, width));
  painter.setPen(theme.palette.color(QPalette::Text));
  painter.drawText(
      QRectF(plot.left(), plot.top() - metrics.height() - kGap / 2, width, metrics.height()),
      Qt::AlignLeft | Qt::AlignTop,
      elidedText(title, metrics, width));
}

void drawLine(QPainter& painter,
              const FlipPanel& panel,
              const std::vector<FlipPoint>& points,
              const VariantStyle& style,
              const QColor& paper,
              bool isCurrent) {
  QList<QPointF> line;
  for (const FlipPoint& point : points) {
    line << panel.pixelOf(point);
  }
  painter.setPen(variantPen(style, isCurrent ? 2.5 : 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(line.data(), static_cast<int>(line.size()));
  constexpr qsizetype kMostMarkers = 64;
  for (std::size_t i = 0; line.size() <= kMostMarkers && i < points.size(); ++i) {
    drawMarker(painter,
               style,
               line[static_cast<qsizetype>(i)],
               kMarker,
               points[i].tokens < kFewTokens ? paper : style.color);
  }
}

void drawLines(QPainter& painter,
               const FlipPanel& panel,
               const FlipData& data,
               const FlipSpot& current,
               bool isMargin,
               const Theme& theme) {
  const auto draw = [&](int index) {
    const FlipLine& line = data.lines[static_cast<std::size_t>(index)];
    drawLine(painter,
             panel,
             isMargin ? line.byMargin : line.byLayer,
             theme.variantStyle(line.style),
             theme.chartBackground,
             index == current.line);
  };
  for (int i = 0; i < static_cast<int>(data.lines.size()); ++i) {
    if (i != current.line) {
      draw(i);
    }
  }
  if (current.line >= 0) {
    draw(current.line);
  }
  const FlipPoint* point = pointAt(data, current);
  if (point != nullptr && current.isMargin == isMargin) {
    painter.setPen(QPen(theme.palette.color(QPalette::Text), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(panel.pixelOf(*point), kMarker, kMarker);
  }
}

/// Samples with names, as many as fit; how many do not.
void drawLegend(QPainter& painter, const QRectF& area, const FlipData& data, const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  double x = area.left();
  for (std::size_t i = 0; i < data.lines.size(); ++i) {
    const QString rest = QStringLiteral("+%1").arg(data.lines.size() - i);
    const QString name = elidedText(data.lines[i].run, metrics, area.width() / 3);
    const double width = kSampleWidth + kLabelGap + metrics.horizontalAdvance(name) + 2 * kGap;
    const bool isLast = i + 1 == data.lines.size();
    const double kept = isLast ? 0 : metrics.horizontalAdvance(rest);
    painter.setPen(theme.axisText);
    if (x + width + kept > area.right()) {
      painter.drawText(
          QRectF(x, area.top(), area.right() - x, area.height()), Qt::AlignVCenter, rest);
      return;
    }
    drawSample(painter,
               theme.variantStyle(data.lines[i].style),
               QRectF(x, area.top(), kSampleWidth, area.height()));
    painter.setPen(theme.axisText);
    painter.drawText(QRectF(x + kSampleWidth + kLabelGap, area.top(), width, area.height()),
                     Qt::AlignVCenter,
                     name);
    x += width;
  }
}

}  // namespace

FlipFrame flipFrame(const FlipData& data, const QRectF& area, const QFont& font) {
  const QFontMetricsF metrics(font);
  FlipFrame frame;
  frame.legend =
      QRectF(area.left() + kGap, area.top() + kGap / 2, area.width() - 2 * kGap, metrics.height());
  const QRectF rest = area.adjusted(0, metrics.height() + kGap, 0, 0);
  QRectF left = rest;
  left.setWidth(std::round(rest.width() * kLayersPart));
  const auto last = static_cast<double>(data.routers.size()) - 1;
  frame.layers = panelIn(left, {-0.5, std::max(0.0, last) + 0.5}, data.largestByLayer, metrics);
  frame.layers.x = layerTicks(data, frame.layers.map.plot.width(), metrics);
  const QRectF right = rest.adjusted(left.width(), 0, 0, 0);
  const Range margins{data.margins.low - 0.15, data.margins.high + 0.15};
  frame.margins = panelIn(right, margins, data.largestByMargin, metrics);
  const double label = metrics.horizontalAdvance(QStringLiteral("1e-10")) + 2 * kLabelGap;
  const double room = frame.margins.map.plot.width();
  frame.margins.x = charts::logTicks(margins, std::max(2, static_cast<int>(room / label)));
  return frame;
}

const FlipPoint* pointAt(const FlipData& data, const FlipSpot& spot) {
  if (!spot.isValid() || static_cast<std::size_t>(spot.line) >= data.lines.size()) {
    return nullptr;
  }
  const FlipLine& line = data.lines[static_cast<std::size_t>(spot.line)];
  const std::vector<FlipPoint>& points = spot.isMargin ? line.byMargin : line.byLayer;
  const auto place = static_cast<std::size_t>(spot.point);
  return place < points.size() ? &points[place] : nullptr;
}

FlipSpot spotAt(const FlipData& data, const FlipFrame& frame, const QPointF& at) {
  FlipSpot nearest;
  double least = kReach;
  for (const bool isMargin : {false, true}) {
    for (std::size_t i = 0; i < data.lines.size(); ++i) {
      const FlipLine& line = data.lines[i];
      const std::vector<FlipPoint>& points = isMargin ? line.byMargin : line.byLayer;
      for (std::size_t k = 0; k < points.size(); ++k) {
        const QPointF away = frame.panel(isMargin).pixelOf(points[k]) - at;
        const double distance = std::hypot(away.x(), away.y());
        if (distance < least) {
          least = distance;
          nearest = {static_cast<int>(i), static_cast<int>(k), isMargin};
        }
      }
    }
  }
  return nearest;
}

void paintFlips(QPainter& painter,
                const QRectF& area,
                const FlipData& data,
                const FlipSpot& current,
                const Theme& theme) {
  painter.save();
  painter.fillRect(area, theme.chartBackground);
  painter.translate(area.topLeft());
  const FlipFrame frame = flipFrame(data, QRectF(QPointF(), area.size()), painter.font());
  drawLegend(painter, frame.legend, data, theme);
  drawAxes(painter,
           frame.layers,
           FlipPainterWords::tr("Flipped tokens by layer, %"),
           FlipPainterWords::tr("Layer"),
           theme);
  drawAxes(painter,
           frame.margins,
           FlipPainterWords::tr("Flipped tokens by margin, %"),
           FlipPainterWords::tr("Margin in the reference"),
           theme);
  painter.setRenderHint(QPainter::Antialiasing);
  drawLines(painter, frame.layers, data, current, false, theme);
  drawLines(painter, frame.margins, data, current, true, theme);
  painter.restore();
}

}  // namespace ulp::views
