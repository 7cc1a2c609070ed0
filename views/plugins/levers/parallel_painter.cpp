#include "views/plugins/levers/parallel_painter.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

#include "views/charts/plot/painting.h"
#include "views/charts/plot/ticks.h"
#include "views/framework/look/variant_painter.h"
#include "views/framework/words/elided_text.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views {
namespace {

using charts::kGap;

constexpr double kNear = 8;  ///< pixels from which a line can be taken
constexpr double kBrushWidth = 12;
constexpr double kMarkerSize = 7;
constexpr std::size_t kMostMarkedLines = 32;
constexpr std::size_t kMostNamedLines = 12;
constexpr double kWidestNames = 0.2;  ///< of the chart
constexpr double kWidestTick = 20;    ///< in characters: a setting may be a list of rules
constexpr double kShortTitle = 7;     ///< in characters: what fits above any axis in one line

/// What the title and the ends of an axis need.
double neededWidth(const ParallelAxis& axis, const QFontMetricsF& metrics) {
  double width = 0;
  for (const QString& line : axisTitleLines(axis.title, metrics)) {
    width = std::max(width, metrics.horizontalAdvance(line));
  }
  for (const AxisTick& tick : axis.ticks) {
    width = std::max(
        width,
        std::min(metrics.horizontalAdvance(tick.text), kWidestTick * metrics.averageCharWidth()));
  }
  return std::ceil(width) + 1.5 * kGap;
}

double neededWidth(const ParallelData& data, const QFontMetricsF& metrics) {
  double sum = 0;
  for (const ParallelAxis& axis : data.axes) {
    sum += neededWidth(axis, metrics);
  }
  return sum;
}

double linesOfTitles(const ParallelData& data, const QFontMetricsF& metrics) {
  const bool hasTwo = std::ranges::any_of(data.axes, [&](const ParallelAxis& axis) {
    return axisTitleLines(axis.title, metrics).size() > 1;
  });
  return hasTwo ? 2 : 1;
}

/// Room for the names behind the last axis.
double namesWidth(const ParallelData& data, double width, const QFontMetricsF& metrics) {
  if (data.lines.size() > kMostNamedLines) {
    return 0;
  }
  double widest = 0;
  for (const ParallelLine& line : data.lines) {
    widest = std::max(widest, metrics.horizontalAdvance(line.run));
  }
  return std::min(widest + 1, kWidestNames * width);
}

bool hasNonFinite(const ParallelData& data) {
  return std::ranges::any_of(data.lines, [](const ParallelLine& line) {
    return std::ranges::any_of(line.points, [](const AxisPoint& point) {
      return point.kind == AxisPoint::Kind::NonFinite;
    });
  });
}

void drawCentred(QPainter& painter, double x, double top, double width, const QString& text) {
  const QFontMetricsF metrics(painter.font());
  painter.drawText(QRectF(x - width / 2, top, width, metrics.height()),
                   Qt::AlignCenter,
                   elidedText(text, metrics, width));
}

/// The group once over all of its axes.
void drawGroups(QPainter& painter,
                const ParallelData& data,
                const ParallelFrame& frame,
                const Theme& theme) {
  painter.setPen(theme.dimText);
  for (std::size_t first = 0; first < data.axes.size();) {
    std::size_t last = first;
    while (last + 1 < data.axes.size() && data.axes[last + 1].group == data.axes[first].group) {
      ++last;
    }
    const double left = frame.x[first] - frame.width[first] / 2;
    const double right = frame.x[last] + frame.width[last] / 2;
    drawCentred(painter,
                (left + right) / 2,
                frame.heading,
                right - left,
                data.axes[first].isLever ? data.axes[first].group
                                         : QStringLiteral("%1 · %2").arg(
                                               data.axes[first].group, metricHeader(data.metric)));
    first = last + 1;
  }
}

/// Numbers above and below their axis; settings beside it.
void drawTick(QPainter& painter,
              const ParallelAxis& axis,
              const AxisTick& tick,
              const ParallelFrame& frame,
              std::size_t place,
              const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  const double width = frame.width[place] - kGap;
  const double y = frame.pixelY(tick.place + tick.lift);
  painter.setPen(theme.axisText);
  if (!axis.isLever && (tick.place == 0 || tick.place == 1)) {
    const double top = tick.place == 0 ? y + 4 : y - 4 - metrics.height();
    drawCentred(painter, frame.x[place], top, width, tick.text);
    return;
  }
  const QString text = elidedText(tick.text, metrics, width);
  QRectF label(0, 0, metrics.horizontalAdvance(text) + 6, metrics.height());
  // Above the lines that come together here.
  label.moveCenter(QPointF(frame.x[place], y - metrics.height() - kGap / 2));
  QColor ground = theme.chartBackground;
  ground.setAlphaF(0.85F);
  painter.fillRect(label, ground);
  painter.drawText(label, Qt::AlignCenter, text);
}

void drawAxes(QPainter& painter,
              const ParallelData& data,
              const ParallelFrame& frame,
              const ParallelLook& look,
              const Theme& theme) {
  drawGroups(painter, data, frame, theme);
  for (std::size_t i = 0; i < data.axes.size(); ++i) {
    const bool isCurrent = look.current.axis == static_cast<int>(i);
    painter.setPen(theme.palette.color(QPalette::Text));
    const QStringList lines = axisTitleLines(data.axes[i].title, QFontMetricsF(painter.font()));
    double top = frame.heading + frame.lineHeight * (1 + frame.titles - double(lines.size()));
    for (const QString& line : lines) {
      drawCentred(painter, frame.x[i], top, frame.width[i] - kGap / 2, line);
      top += frame.lineHeight;
    }
    const double x = std::round(frame.x[i]) + 0.5;
    painter.setPen(QPen(isCurrent ? theme.axisText : theme.gridStrong, 1));
    painter.drawLine(QPointF(x, frame.top), QPointF(x, frame.bottom));
  }
}

void drawBrushes(QPainter& painter,
                 const ParallelFrame& frame,
                 const ParallelLook& look,
                 const Theme& theme) {
  QColor color = theme.palette.color(QPalette::Highlight);
  painter.setPen(QPen(color, 1));
  color.setAlphaF(0.2F);
  painter.setBrush(color);
  for (std::size_t i = 0; i < look.brushes.size() && i < frame.x.size(); ++i) {
    if (look.brushes[i]) {
      painter.drawRect(
          QRectF(QPointF(frame.x[i] - kBrushWidth / 2, frame.pixelY(look.brushes[i]->high)),
                 QPointF(frame.x[i] + kBrushWidth / 2, frame.pixelY(look.brushes[i]->low))));
    }
  }
  painter.setBrush(Qt::NoBrush);
}

/// A gap at a missing point, never a line across it.
void drawLine(QPainter& painter, const ParallelLine& line, const ParallelFrame& frame) {
  for (std::size_t i = 0; i + 1 < line.points.size(); ++i) {
    if (line.points[i].kind != AxisPoint::Kind::Missing &&
        line.points[i + 1].kind != AxisPoint::Kind::Missing) {
      painter.drawLine(frame.pixelOf(i, line.points[i]), frame.pixelOf(i + 1, line.points[i + 1]));
    }
  }
}

void drawMarkers(QPainter& painter,
                 const ParallelLine& line,
                 const ParallelFrame& frame,
                 bool marksValues,
                 const Theme& theme) {
  const VariantStyle style = theme.variantStyle(line.style);
  for (std::size_t i = 0; i < line.points.size(); ++i) {
    const AxisPoint& point = line.points[i];
    if (point.kind == AxisPoint::Kind::NonFinite || point.nonFinite > 0) {
      VariantStyle broken = style;
      broken.color = theme.nonFinite;
      drawMarker(painter, broken, frame.pixelOf(i, point), kMarkerSize + 2, theme.nonFinite);
    } else if (point.kind == AxisPoint::Kind::Value && marksValues) {
      drawMarker(painter, style, frame.pixelOf(i, point), kMarkerSize, style.color);
    }
  }
}

void drawLines(QPainter& painter,
               const ParallelData& data,
               const ParallelFrame& frame,
               const ParallelLook& look,
               const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.gridStrong, 1));
  for (std::size_t i = 0; i < data.lines.size(); ++i) {
    if (!look.isInside(i)) {
      drawLine(painter, data.lines[i], frame);
    }
  }
  const auto drawFull = [&](std::size_t line, double width) {
    painter.setPen(variantPen(theme.variantStyle(data.lines[line].style), width));
    drawLine(painter, data.lines[line], frame);
    drawMarkers(painter,
                data.lines[line],
                frame,
                data.lines.size() <= kMostMarkedLines || width > 2,
                theme);
  };
  for (std::size_t i = 0; i < data.lines.size(); ++i) {
    if (look.isInside(i)) {
      drawFull(i, 1.4);
    } else {
      // Values that are not finite stay in sight whatever is brushed.
      drawMarkers(painter, data.lines[i], frame, false, theme);
    }
  }
  for (const int front : {look.current.line, look.hovered.line}) {
    if (front >= 0 && static_cast<std::size_t>(front) < data.lines.size()) {
      drawFull(static_cast<std::size_t>(front), 2.8);
    }
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Each name where its line ends, moved apart where they would touch.
void drawNames(QPainter& painter,
               const ParallelData& data,
               const ParallelFrame& frame,
               const ParallelLook& look,
               const Theme& theme) {
  std::vector<std::size_t> named;
  std::vector<double> centres;
  for (std::size_t i = 0; frame.namesWidth > 0 && i < data.lines.size(); ++i) {
    const std::vector<AxisPoint>& points = data.lines[i].points;
    const auto last = std::find_if(points.rbegin(), points.rend(), [](const AxisPoint& point) {
      return point.kind != AxisPoint::Kind::Missing;
    });
    if (last != points.rend()) {
      named.push_back(i);
      centres.push_back(frame.pixelY(last->place));
    }
  }
  const std::vector<double> places =
      charts::spreadLabels(centres,
                           frame.lineHeight - 2,
                           {frame.top - 2 * frame.lineHeight, frame.bottom + frame.lineHeight / 2});
  const QFontMetricsF metrics(painter.font());
  QStringList names;
  for (const std::size_t line : named) {
    names << data.lines[line].run;
  }
  const QStringList shown = elidedNames(names, metrics, frame.namesWidth);
  for (std::size_t i = 0; i < named.size(); ++i) {
    const ParallelLine& line = data.lines[named[i]];
    painter.setPen(look.isInside(named[i]) ? theme.variantStyle(line.style).color : theme.dimText);
    painter.drawText(
        QRectF(frame.names, places[i] - metrics.height() / 2, frame.namesWidth, metrics.height()),
        Qt::AlignLeft | Qt::AlignVCenter,
        shown.at(static_cast<qsizetype>(i)));
  }
}

/// A ring around the point that the keys move.
void drawCurrent(QPainter& painter,
                 const ParallelData& data,
                 const ParallelFrame& frame,
                 const ParallelSpot& spot,
                 const Theme& theme) {
  const AxisPoint* point = pointAt(data, spot);
  if (point == nullptr) {
    return;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.palette.color(QPalette::Text), 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(
      frame.pixelOf(static_cast<std::size_t>(spot.axis), *point), kMarkerSize, kMarkerSize);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

double distanceTo(const ParallelLine& line,
                  const ParallelFrame& frame,
                  std::size_t left,
                  const QPointF& point) {
  const AxisPoint& a = line.points[left];
  const AxisPoint& b = line.points[left + 1];
  if (a.kind == AxisPoint::Kind::Missing || b.kind == AxisPoint::Kind::Missing) {
    return std::numeric_limits<double>::infinity();
  }
  const QPointF from = frame.pixelOf(left, a);
  const QPointF to = frame.pixelOf(left + 1, b);
  const double part = std::clamp((point.x() - from.x()) / (to.x() - from.x()), 0.0, 1.0);
  return std::abs(from.y() + part * (to.y() - from.y()) - point.y());
}

}  // namespace

QStringList axisTitleLines(const QString& title, const QFontMetricsF& metrics) {
  QStringList best{title};
  double width = metrics.horizontalAdvance(title);
  if (width <= kShortTitle * metrics.averageCharWidth()) {
    return best;
  }
  for (qsizetype i = 1; i < title.size(); ++i) {
    const QChar last = title[i - 1];
    if (last != u' ' && last != u'_') {
      continue;
    }
    const QString first = title.left(i).trimmed();
    const QString second = title.mid(i);
    const double widest =
        std::max(metrics.horizontalAdvance(first), metrics.horizontalAdvance(second));
    if (widest < width) {
      width = widest;
      best = {first, second};
    }
  }
  return best;
}

ParallelFrame parallelFrame(const ParallelData& data, const QRectF& area, const QFont& font) {
  const QFontMetricsF metrics(font);
  ParallelFrame frame;
  frame.lineHeight = std::ceil(metrics.height()) + 2;
  frame.heading = area.top() + kGap / 2;
  const double above = hasNonFinite(data) ? frame.lineHeight : 0;
  frame.titles = linesOfTitles(data, metrics);
  const double top = frame.heading + (2 + frame.titles) * frame.lineHeight + kGap + above;
  frame.bottom = std::max(top + 1, area.bottom() - frame.lineHeight - kGap);
  frame.top = top;
  frame.namesWidth = namesWidth(data, area.width(), metrics);
  const double right = frame.namesWidth > 0 ? frame.namesWidth + kGap : 0;
  const double room = std::max(1.0, area.width() - 2 * kGap - right);
  const double stretch = room / std::max(1.0, neededWidth(data, metrics));
  double left = area.left() + kGap;
  for (const ParallelAxis& axis : data.axes) {
    const double width = stretch * neededWidth(axis, metrics);
    frame.x.push_back(left + width / 2);
    frame.width.push_back(width);
    left += width;
  }
  // The last axis has half of its room behind it, which the names may use.
  // But for its own numbers, around it.
  double half = kGap;
  for (const AxisTick& tick :
       data.axes.empty() ? std::vector<AxisTick>() : data.axes.back().ticks) {
    half = std::max(half, std::min(metrics.horizontalAdvance(tick.text), frame.width.back()) / 2);
  }
  frame.names = frame.x.empty() ? left : frame.x.back() + half + kGap;
  frame.namesWidth = frame.namesWidth > 0 ? area.right() - kGap / 2 - frame.names : 0;
  return frame;
}

std::vector<AxisTick> shownTicks(const ParallelAxis& axis, const ParallelFrame& frame) {
  std::vector<AxisTick> shown;
  for (const AxisTick& tick : axis.ticks) {
    const auto y = [&frame](const AxisTick& of) { return frame.pixelY(of.place + of.lift); };
    if (!axis.isLever || shown.empty() || y(tick) - y(shown.back()) >= frame.lineHeight) {
      shown.push_back(tick);
    }
  }
  return shown;
}

double parallelWidth(const ParallelData& data, const QFont& font) {
  const QFontMetricsF metrics(font);
  const double axes = neededWidth(data, metrics) + 2 * kGap;
  const double names = namesWidth(data, std::numeric_limits<double>::max(), metrics);
  return names == 0 ? axes : std::min(axes + names + kGap, (axes + kGap) / (1 - kWidestNames));
}

ParallelSpot spotAt(const ParallelData& data, const ParallelFrame& frame, const QPointF& point) {
  if (frame.x.empty()) {
    return {};
  }
  const auto right = std::ranges::upper_bound(frame.x, point.x());
  const auto last = static_cast<std::ptrdiff_t>(frame.x.size()) - 1;
  const std::ptrdiff_t left = std::clamp<std::ptrdiff_t>(right - frame.x.begin() - 1, 0, last);
  const std::ptrdiff_t next = std::min(left + 1, last);
  const auto at = [&](std::ptrdiff_t axis) { return frame.x[static_cast<std::size_t>(axis)]; };
  ParallelSpot spot;
  spot.axis = static_cast<int>(
      std::abs(point.x() - at(left)) <= std::abs(point.x() - at(next)) ? left : next);
  const auto segment = static_cast<std::size_t>(
      std::min<std::ptrdiff_t>(left, std::max<std::ptrdiff_t>(last - 1, 0)));
  double nearest = kNear;
  for (std::size_t i = 0; last > 0 && i < data.lines.size(); ++i) {
    const double distance = distanceTo(data.lines[i], frame, segment, point);
    if (distance <= nearest) {
      nearest = distance;
      spot.line = static_cast<int>(i);
    }
  }
  return spot;
}

const AxisPoint* pointAt(const ParallelData& data, const ParallelSpot& spot) {
  if (spot.line < 0 || spot.axis < 0 || static_cast<std::size_t>(spot.line) >= data.lines.size() ||
      static_cast<std::size_t>(spot.axis) >= data.axes.size()) {
    return nullptr;
  }
  const AxisPoint& point =
      data.lines[static_cast<std::size_t>(spot.line)].points[static_cast<std::size_t>(spot.axis)];
  return point.kind == AxisPoint::Kind::Missing ? nullptr : &point;
}

void paintParallel(QPainter& painter,
                   const QRectF& area,
                   const ParallelData& data,
                   const ParallelLook& look,
                   const Theme& theme) {
  painter.save();
  painter.fillRect(area, theme.chartBackground);
  const ParallelFrame frame = parallelFrame(data, area, painter.font());
  drawAxes(painter, data, frame, look, theme);
  drawBrushes(painter, frame, look, theme);
  drawLines(painter, data, frame, look, theme);
  for (std::size_t i = 0; i < data.axes.size(); ++i) {
    for (const AxisTick& tick : shownTicks(data.axes[i], frame)) {
      drawTick(painter, data.axes[i], tick, frame, i, theme);
    }
  }
  drawNames(painter, data, frame, look, theme);
  drawCurrent(painter, data, frame, look.current, theme);
  painter.restore();
}

}  // namespace ulp::views
