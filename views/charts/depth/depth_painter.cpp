#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <QtCore/QCoreApplication>
#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

#include "views/charts/depth/depth_frame.h"
#include "views/charts/plot/painting.h"
#include "views/framework/look/variant_painter.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/words/elided_text.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"

namespace ulp::views::charts {
namespace {

constexpr double kLineSampleWidth = 18;
constexpr double kJumpSize = 7;
constexpr double kJumpDistance = 10;
constexpr double kMarkerSize = 5.5;
constexpr double kCurrentMarkerSize = 7;
/// How far from the plot markers may reach.
constexpr double kMarkerRoom = 6;

struct DepthPainterWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::DepthChart)
};

void drawGrid(QPainter& painter, const DepthFrame& frame, const Theme& theme) {
  const QRectF& plot = frame.map.plot;
  for (const Tick& tick : frame.yTicks) {
    const double y = std::round(frame.map.pixelY(tick.position)) + 0.5;
    painter.setPen(QPen(tick.strong ? theme.gridStrong : theme.grid, 0));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
  }
}

void drawYLabels(QPainter& painter, const DepthFrame& frame, const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  const QRectF& plot = frame.map.plot;
  const double height = metrics.height();
  painter.setPen(theme.axisText);
  for (const Tick& tick : frame.yTicks) {
    const double y = frame.map.pixelY(tick.position);
    painter.drawText(QRectF(0, y - height / 2, plot.left() - kGap, height),
                     Qt::AlignRight | Qt::AlignVCenter,
                     tick.label);
  }
  painter.setPen(theme.reference);
  for (const Tick& tick : frame.referenceTicks) {
    const double y = frame.referenceMap.pixelY(tick.position);
    painter.drawText(QRectF(plot.right() + kGap / 2, y - height / 2, 200, height),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     tick.label);
  }
}

/// A caption of a line, ending at `right`; returns where the next one may end.
double drawCaption(
    QPainter& painter, const QString& text, double right, double top, const QPen& pen) {
  const QFontMetricsF metrics(painter.font());
  const double width = metrics.horizontalAdvance(text);
  painter.drawText(
      QRectF(right - width, top, width, metrics.height()), Qt::AlignRight | Qt::AlignVCenter, text);
  painter.setPen(pen);
  const double left = right - width - kLineSampleWidth - 4;
  const double y = top + metrics.height() / 2;
  painter.drawLine(QPointF(left, y), QPointF(left + kLineSampleWidth - 2, y));
  return left - 2 * kGap;
}

void drawTitles(QPainter& painter, const DepthDrawing& drawing) {
  const auto& [frame, data, options, theme] = drawing;
  const QFontMetricsF metrics(painter.font());
  const double top = kGap / 2;
  const QString header = metricHeader(data.metric);
  painter.setPen(theme.palette.color(QPalette::Text));
  painter.drawText(QPointF(kGap, top + metrics.ascent()), header);
  const double least = 3 * kGap + metrics.horizontalAdvance(header);
  double right = frame.map.plot.right();
  const auto caption = [&](const QString& text, QPen pen) {
    if (right - metrics.horizontalAdvance(text) - kLineSampleWidth > least) {
      pen.setCapStyle(Qt::FlatCap);
      painter.setPen(theme.reference);
      right = drawCaption(painter, text, right, top, pen);
    }
  };
  if (!frame.noise.empty()) {
    // The veil has to be explained: a long name is shortened before it is left out.
    const double room = right - least - kLineSampleWidth - kGap;
    caption(elidedText(data.noiseName, metrics, room), QPen(theme.noise, metrics.height() / 2));
  }
  if (!frame.reference.empty()) {
    caption(data.scaleTitle(), QPen(theme.reference, 1));
  }
  if (!frame.guide.empty()) {
    caption(data.guideName, QPen(theme.reference, 1.4, Qt::DotLine));
  }
}

/// What lies between a line and the harmless edge of the plot.
QPolygonF noiseArea(const QList<QPointF>& line, const PlotMap& map, double edge) {
  QPolygonF area;
  for (const QPointF& point : line) {
    area << QPointF(std::clamp(map.pixelX(point.x()), map.plot.left(), map.plot.right()),
                    std::clamp(map.pixelY(point.y()), map.plot.top(), map.plot.bottom()));
  }
  area << QPointF(area.last().x(), edge) << QPointF(area.first().x(), edge);
  return area;
}

/// Whether the curve is drawn that the noise is measured by.
bool isNoiseDrawn(const DepthData& data, const DepthOptions& options) {
  return std::ranges::any_of(visibleCurves(options.visible),
                             [&data](int curve) { return data.curve(curve).isNoise; });
}

/// A veil over everything that is no worse than the noise, with a line at its edge where no curve
/// stands there.
void drawNoise(QPainter& painter, const DepthDrawing& drawing) {
  const auto& [frame, data, options, theme] = drawing;
  const bool hasEdge = !isNoiseDrawn(data, options);
  const QRectF& plot = frame.map.plot;
  const double edge = data.metric.better == numerics::Better::Lower ? plot.bottom() : plot.top();
  for (const QList<QPointF>& line : frame.noise) {
    QPolygonF area = noiseArea(line, frame.map, edge);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.noise);
    painter.drawPolygon(area);
    if (hasEdge) {
      painter.setPen(QPen(theme.reference, 1));
      painter.drawPolyline(area.constData(), static_cast<int>(line.size()));
    }
  }
}

void drawXLabels(QPainter& painter, const DepthFrame& frame, const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  const QRectF& plot = frame.map.plot;
  painter.setPen(theme.axisText);
  for (const Tick& tick : frame.xTicks) {
    const double x = frame.map.pixelX(tick.position);
    painter.drawText(QRectF(x - 100, plot.bottom() + kGap / 2, 200, metrics.height()),
                     Qt::AlignHCenter | Qt::AlignTop,
                     tick.label);
  }
}

/// Captions of the passes below their part of the axis, and the mark between them.
void drawPasses(QPainter& painter,
                const DepthFrame& frame,
                const DepthAxis& axis,
                const Theme& theme) {
  const QRectF& plot = frame.map.plot;
  const QFontMetricsF metrics(painter.font());
  const double top = plot.bottom() + kGap / 2 + metrics.height();
  const auto caption = [&](int from, int to, Pass pass) {
    const double left = std::clamp(frame.map.pixelX(from - 0.5), plot.left(), plot.right());
    const double right = std::clamp(frame.map.pixelX(to + 0.5), plot.left(), plot.right());
    const QString text = passCaption(pass);
    if (right - left > metrics.horizontalAdvance(text)) {
      painter.setPen(theme.dimText);
      painter.drawText(
          QRectF(left, top, right - left, metrics.height() + 2), Qt::AlignCenter, text);
    }
  };
  if (axis.fold > 0) {
    caption(0, axis.fold - 1, axis.at(0).pass);
  }
  if (axis.fold < axis.size()) {
    caption(axis.fold, axis.size() - 1, axis.at(axis.fold).pass);
  }
  if (axis.fold > 0 && axis.fold < axis.size()) {
    const double x = std::round(frame.map.pixelX(axis.fold - 0.5));
    if (x + 0.5 > plot.left() && x + 0.5 < plot.right()) {
      painter.setPen(QPen(theme.gridStrong, 0));
      drawVertical(painter, plot, x);
    }
  }
}

/// A band over the selected row; an empty frame with a name where it is that of a layer, of which
/// something is selected that is not drawn.
void drawCurrentSlot(QPainter& painter, const DepthDrawing& drawing) {
  const auto& [frame, data, options, theme] = drawing;
  const int slot = options.currentSlot;
  if (slot < 0 || !frame.map.x.contains(slot)) {
    return;
  }
  const QRectF& plot = frame.map.plot;
  const double width = std::max(4.0, frame.map.pixelX(1) - frame.map.pixelX(0));
  const QColor color = theme.palette.color(QPalette::Highlight);
  const QRectF band(frame.map.pixelX(slot) - width / 2, plot.top(), width, plot.height());
  if (options.inCurrentSlot.isEmpty()) {
    painter.fillRect(band & plot, translucent(color, theme.dark ? 0.3F : 0.16F));
    return;
  }
  painter.save();
  painter.setPen(QPen(color, 1, Qt::DashLine));
  painter.drawRect((band & plot).adjusted(0.5, 0.5, -0.5, -0.5));
  const QFontMetricsF metrics(painter.font());
  const double room = metrics.horizontalAdvance(options.inCurrentSlot) + kGap;
  const bool isLeft = band.right() + room > plot.right();
  painter.drawText(QRectF(isLeft ? band.left() - room : band.right() + kGap / 2,
                          plot.bottom() - 2 * metrics.height(),
                          room,
                          metrics.height()),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   options.inCurrentSlot);
  painter.restore();
}

/// Dotted, in the colour of the reference: it is no variant's curve.
void drawGuide(QPainter& painter, const DepthFrame& frame, const Theme& theme) {
  if (frame.guide.empty()) {
    return;
  }
  const QRectF& plot = frame.map.plot;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(plot, Qt::IntersectClip);
  painter.setPen(QPen(theme.reference, 1.4, Qt::DotLine));
  for (const QList<QPointF>& points : frame.guide) {
    painter.drawPolyline(pixelsOf(points, frame.map));
  }
  painter.restore();
}

/// Slots and positions of the marks: one for each curve that jumps there, or where curves are many
/// one above the topmost of them; the read-out lists them all.
std::vector<QPointF> jumpMarks(const DepthFrame& frame,
                               const DepthData& data,
                               const DepthOptions& options) {
  const std::vector<int> curves = visibleCurves(options.visible);
  const bool isCrowded = curves.size() > kMaxDirectLabels;
  std::vector<QPointF> marks;
  std::map<std::size_t, std::size_t> markOf;
  for (const int index : curves) {
    const DepthCurve& curve = data.curve(index);
    for (std::size_t slot = 0; slot < curve.jumps.size(); ++slot) {
      if (curve.jumps[slot] <= 0) {
        continue;
      }
      const QPointF place(static_cast<double>(slot), frame.scale.position(curve.values[slot]));
      const auto [known, isNew] = markOf.try_emplace(slot, marks.size());
      if (isNew || !isCrowded) {
        marks.push_back(place);
      } else if (place.y() > marks[known->second].y()) {
        marks[known->second] = place;
      }
    }
  }
  return marks;
}

/// ▲ above the points at which a curve jumps.
void drawJumps(QPainter& painter, const DepthDrawing& drawing) {
  const auto& [frame, data, options, theme] = drawing;
  const VariantStyle style{.color = theme.look, .marker = MarkerShape::TriangleUp, .dashes = {}};
  for (const QPointF& mark : jumpMarks(frame, data, options)) {
    if (frame.map.x.contains(mark.x()) && frame.map.y.contains(mark.y())) {
      const QPointF place(frame.map.pixelX(mark.x()), frame.map.pixelY(mark.y()) - kJumpDistance);
      drawMarker(painter, style, place, kJumpSize, theme.look);
    }
  }
}

/// Magenta triangles above the plot, below the number of elements where there is room.
void drawNonFinite(QPainter& painter, const DepthFrame& frame, const Theme& theme) {
  const QRectF& plot = frame.map.plot;
  const QFontMetricsF metrics(painter.font());
  const VariantStyle style{
      .color = theme.nonFinite, .marker = MarkerShape::TriangleDown, .dashes = {}};
  double free = plot.left();
  for (const NonFiniteMark& mark : frame.scene.nonFinite) {
    const double x = frame.map.pixelX(mark.slot);
    if (x < plot.left() - 1 || x > plot.right() + 1) {
      continue;
    }
    drawMarker(painter, style, QPointF(x, plot.top() - 4), 8, theme.nonFinite);
    const QString text = (mark.isLeast ? QStringLiteral("≥ ") : QString()) + shortCount(mark.count);
    const double width = metrics.horizontalAdvance(text);
    if (x - width / 2 > free) {
      painter.setPen(theme.nonFinite);
      painter.drawText(
          QRectF(x - width, plot.top() - frame.nonFiniteBand, 2 * width, metrics.height()),
          Qt::AlignCenter,
          text);
      free = x + width / 2 + 4;
    }
  }
}

void drawLabels(QPainter& painter, const DepthDrawing& drawing) {
  const auto& [frame, data, options, theme] = drawing;
  const QFontMetricsF metrics(painter.font());
  const QFont plain = painter.font();
  for (const DirectLabel& label : frame.labels) {
    const VariantStyle style = theme.variantStyle(data.curve(label.curve).style);
    const QRectF sample(
        frame.labelLeft, label.labelY - metrics.height() / 2, kLineSampleWidth, metrics.height());
    drawSample(painter, style, sample);
    QFont font = plain;
    font.setBold(label.curve == options.currentCurve);
    painter.setFont(font);
    painter.setPen(label.isFinite ? theme.palette.color(QPalette::Text) : theme.nonFinite);
    painter.drawText(
        QPointF(sample.right() + 4, label.labelY + (metrics.ascent() - metrics.descent()) / 2),
        label.text);
  }
  painter.setFont(plain);
}

/// A solid line where the second cursor stands.
void drawPin(QPainter& painter, const DepthDrawing& drawing) {
  const auto& [frame, data, options, theme] = drawing;
  const int slot = options.pinnedSlot;
  if (slot < 0 || slot >= data.axis.size() || !frame.map.x.contains(slot)) {
    return;
  }
  const QRectF& plot = frame.map.plot;
  const double x = std::round(frame.map.pixelX(slot)) + 0.5;
  painter.save();
  painter.setPen(QPen(theme.palette.color(QPalette::Highlight), 1));
  drawVertical(painter, plot, frame.map.pixelX(slot));
  const QFontMetricsF metrics(painter.font());
  const QString name = data.axis.at(slot).name;
  const double width = metrics.horizontalAdvance(name) + kGap;
  const bool isLeft = x + width > plot.right();
  painter.drawText(QRectF(isLeft ? x - width : x + kGap / 2,
                          plot.bottom() - metrics.height() - 2,
                          width,
                          metrics.height()),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   name);
  painter.restore();
}

}  // namespace

void paintBelow(QPainter& painter, const DepthDrawing& drawing) {
  const auto& [frame, data, options, theme] = drawing;
  if (data.axis.size() == 0) {
    painter.setPen(theme.dimText);
    painter.drawText(
        frame.map.plot,
        static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap,
        data.curves.empty()
            ? DepthPainterWords::tr("A curve appears here for each variant that has finished.")
            : DepthPainterWords::tr("The report has no tensor of this kind in these passes."));
    return;
  }
  drawCurrentSlot(painter, drawing);
  drawGrid(painter, frame, theme);
  drawYLabels(painter, frame, theme);
  if (options.titlesShown) {
    drawTitles(painter, drawing);
  }
  drawXLabels(painter, frame, theme);
  drawPasses(painter, frame, data.axis, theme);
  drawGuide(painter, frame, theme);
}

QRectF markerRoom(const DepthFrame& frame) {
  return frame.map.plot.adjusted(-kMarkerRoom, -kMarkerRoom, kMarkerRoom, kMarkerRoom);
}

void forEachMarker(const DepthDrawing& drawing,
                   const std::function<void(const DrawnMarker&)>& visit) {
  const auto& [frame, data, options, theme] = drawing;
  const QRectF room = markerRoom(frame);
  for (const SceneCurve& curve : frame.scene.curves) {
    const VariantStyle style = theme.variantStyle(data.curve(curve.curve).style);
    const double size = curve.curve == options.currentCurve ? kCurrentMarkerSize : kMarkerSize;
    for (const SceneMarker& marker : curve.markers) {
      const QPointF place(frame.map.pixelX(marker.place.x()), frame.map.pixelY(marker.place.y()));
      // Not every device clips.
      if (room.contains(place)) {
        visit({place, style, size, marker.zero ? theme.chartBackground : style.color});
      }
    }
  }
}

void paintMarks(QPainter& painter, const DepthDrawing& drawing) {
  const auto& [frame, data, options, theme] = drawing;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.save();
  painter.setClipRect(markerRoom(frame), Qt::IntersectClip);
  drawNoise(painter, drawing);
  if (options.jumpsShown) {
    drawJumps(painter, drawing);
  }
  painter.restore();
  drawNonFinite(painter, frame, theme);
  drawLabels(painter, drawing);
  painter.restore();
}

void paintAbove(QPainter& painter, const DepthDrawing& drawing) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(markerRoom(drawing.frame), Qt::IntersectClip);
  forEachMarker(drawing, [&painter](const DrawnMarker& marker) {
    drawMarker(painter, marker.style, marker.place, marker.size, marker.fill);
  });
  painter.restore();
  paintMarks(painter, drawing);
}

void paintHover(QPainter& painter, const DepthDrawing& drawing, int slot) {
  const auto& [frame, data, options, theme] = drawing;
  drawPin(painter, drawing);
  if (slot < 0 || slot >= data.axis.size() || !frame.map.x.contains(slot)) {
    return;
  }
  painter.save();
  painter.setPen(QPen(theme.axisText, 0, Qt::DashLine));
  drawVertical(painter, frame.map.plot, frame.map.pixelX(slot));
  painter.setRenderHint(QPainter::Antialiasing);
  for (const ReadoutRow& row : readoutAt(data, options.visible, slot)) {
    const double position = frame.scale.position(row.value);
    if (!std::isnan(position) && frame.map.y.contains(position)) {
      const int style = data.curve(row.curve).style;
      drawMarker(painter,
                 theme.variantStyle(style),
                 QPointF(frame.map.pixelX(slot), frame.map.pixelY(position)),
                 9,
                 theme.chartBackground);
    }
  }
  paintReadout(painter, drawing, slot);
  painter.restore();
}

}  // namespace ulp::views::charts
