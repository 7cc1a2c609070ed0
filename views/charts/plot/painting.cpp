#include "views/charts/plot/painting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

#include "views/framework/look/variant_painter.h"
#include "views/framework/tables/table_tools.h"

namespace ulp::views::charts {
namespace {

constexpr double kReadoutSampleWidth = 18;
constexpr double kNameGap = 6;
constexpr double kColumnGap = 16;

using Segment = std::pair<QPointF, QPointF>;

/// Liang and Barsky, "A new concept and method for line clipping", 1984.
std::optional<Segment> clipSegment(const QPointF& from, const QPointF& to, const QRectF& area) {
  const QPointF step = to - from;
  const std::array<double, 4> p{-step.x(), step.x(), -step.y(), step.y()};
  const std::array<double, 4> q{from.x() - area.left(),
                                area.right() - from.x(),
                                from.y() - area.top(),
                                area.bottom() - from.y()};
  double enter = 0;
  double leave = 1;
  for (std::size_t edge = 0; edge < p.size(); ++edge) {
    if (p.at(edge) == 0) {
      if (q.at(edge) < 0) {
        return std::nullopt;
      }
      continue;
    }
    const double at = q.at(edge) / p.at(edge);
    if (p.at(edge) < 0) {
      enter = std::max(enter, at);
    } else {
      leave = std::min(leave, at);
    }
  }
  if (enter > leave) {
    return std::nullopt;
  }
  return Segment{from + enter * step, from + leave * step};
}

/// Where the parts of a read-out stand.
struct ReadoutLayout {
  double nameLeft = 0;  ///< from the left end of a line
  double width = 0;
  std::vector<double> columns;  ///< widths of the values
};

ReadoutLayout readoutLayout(const Readout& readout, const QFont& plain) {
  const QFontMetricsF metrics(plain);
  const QFontMetricsF fixedMetrics(fixedFont(plain));
  ReadoutLayout layout{.nameLeft = readout.hasSamples ? kReadoutSampleWidth + kNameGap : 0,
                       .columns = {}};
  double names = 0;
  for (const ReadoutLine& line : readout.lines) {
    names = std::max(names, metrics.horizontalAdvance(line.name));
    const auto count = static_cast<std::size_t>(line.values.size());
    layout.columns.resize(std::max(layout.columns.size(), count), 0);
    for (std::size_t i = 0; i < count; ++i) {
      const QString& value = line.values[static_cast<qsizetype>(i)];
      layout.columns[i] = std::max(layout.columns[i], fixedMetrics.horizontalAdvance(value));
    }
  }
  layout.width = layout.nameLeft + names;
  for (const double column : layout.columns) {
    layout.width += kColumnGap + column;
  }
  return layout;
}

void paintReadoutLine(QPainter& painter,
                      const ReadoutLine& line,
                      const ReadoutLayout& layout,
                      const QRectF& place) {
  const QFont plain = painter.font();
  if (line.sample) {
    drawSample(painter,
               *line.sample,
               QRectF(place.left(), place.top(), kReadoutSampleWidth, place.height()));
  }
  painter.setPen(line.nameColor);
  painter.drawText(
      place.adjusted(layout.nameLeft, 0, kGap, 0), Qt::AlignLeft | Qt::AlignVCenter, line.name);
  painter.setFont(fixedFont(plain));
  painter.setPen(line.valueColor);
  QRectF cell = place;
  for (std::size_t i = layout.columns.size(); i-- > 0;) {
    painter.drawText(
        cell, Qt::AlignRight | Qt::AlignVCenter, line.values.value(static_cast<qsizetype>(i)));
    cell.setRight(cell.right() - layout.columns[i] - kColumnGap);
  }
  painter.setFont(plain);
}

}  // namespace

QColor translucent(QColor color, float alpha) {
  color.setAlphaF(alpha);
  return color;
}

void drawVertical(QPainter& painter, const QRectF& plot, double x) {
  const double middle = std::round(x) + 0.5;
  painter.drawLine(QPointF(middle, plot.top()), QPointF(middle, plot.bottom()));
}

std::vector<QList<QPointF>> clipLine(const QList<QPointF>& points, const QRectF& area) {
  std::vector<QList<QPointF>> pieces;
  bool isOpen = false;
  for (qsizetype i = 1; i < points.size(); ++i) {
    const auto inside = clipSegment(points[i - 1], points[i], area);
    if (!inside) {
      isOpen = false;
      continue;
    }
    if (!isOpen || pieces.back().back() != inside->first) {
      pieces.push_back({inside->first});
    }
    pieces.back().append(inside->second);
    isOpen = inside->second == points[i];
  }
  return pieces;
}

double leftWithin(const QPainter& painter, double left, double width) {
  const QRectF device = painter.transform().inverted().mapRect(QRectF(painter.window()));
  return std::max(device.left(), std::min(left, device.right() - width));
}

void paintReadout(QPainter& painter,
                  const Readout& readout,
                  const Theme& theme,
                  const std::function<QPointF(const QSizeF& size)>& placeOf) {
  const QFont plain = painter.font();
  QFont bold = plain;
  bold.setBold(true);
  const double lineHeight = QFontMetricsF(plain).height() + 2;
  const double titleWidth = QFontMetricsF(bold).horizontalAdvance(readout.title);
  const ReadoutLayout layout = readoutLayout(readout, plain);
  const QSizeF size(std::max(titleWidth, layout.width) + 2 * kGap,
                    lineHeight * (static_cast<double>(readout.lines.size()) + 1) + kGap);
  const QPointF wanted = placeOf(size);
  const QRectF box({leftWithin(painter, wanted.x(), size.width()), wanted.y()}, size);
  painter.setPen(QPen(theme.gridStrong, 1));
  painter.setBrush(translucent(theme.palette.color(QPalette::ToolTipBase), 0.96F));
  painter.drawRoundedRect(box, 3, 3);
  QRectF line(box.left() + kGap, box.top() + kGap / 2, box.width() - 2 * kGap, lineHeight);
  painter.setPen(theme.palette.color(QPalette::ToolTipText));
  painter.setFont(bold);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, readout.title);
  painter.setFont(plain);
  for (const ReadoutLine& next : readout.lines) {
    line.translate(0, lineHeight);
    paintReadoutLine(painter, next, layout, line);
  }
}

}  // namespace ulp::views::charts
