#include "views/charts/depth/depth_intervals.h"

#include <algorithm>
#include <cmath>

#include <QtGui/QPainter>

#include "views/charts/plot/painting.h"

namespace ulp::views::charts {
namespace {

/// Bands of more curves than these hide each other.
constexpr auto kMaxBands = 3;
/// Whiskers nearer to each other than this, in pixels, are a band.
constexpr double kWhiskerDistance = 5;
constexpr double kWhiskerEnd = 2.5;
constexpr float kWhiskerAlpha = 0.75F;
constexpr float kSampleAlpha = 0.45F;

/// Ends of an interval in pixels; y grows downwards.
struct IntervalEnds {
  double low = 0;
  double high = 0;
  bool isKnown = false;
};

IntervalEnds endsAt(const DepthFrame& frame, const DepthCurve& curve, int slot) {
  const auto at = static_cast<std::size_t>(slot);
  const double value = curve.values[at];
  const double half = at < curve.halves.size() ? curve.halves[at] : NAN;
  const double high = frame.scale.position(value + half);
  if (!std::isfinite(half) || std::isnan(high)) {
    return {};
  }
  const bool reachesZero = frame.scale.logarithmic && value - half <= 0;
  const double bottom = frame.map.plot.bottom();
  const double low = reachesZero ? bottom : frame.map.pixelY(frame.scale.position(value - half));
  return {.low = std::min(low, bottom), .high = frame.map.pixelY(high), .isKnown = true};
}

QColor colorOf(const DepthData& data, int curve, float alpha, const Theme& theme) {
  return translucent(theme.variantStyle(data.curve(curve).style).color, alpha);
}

void paintWhiskers(QPainter& painter, const std::vector<QLineF>& lines, const QColor& color) {
  painter.setPen(QPen(color, 1));
  for (const QLineF& line : lines) {
    painter.drawLine(line);
    for (const QPointF& end : {line.p1(), line.p2()}) {
      painter.drawLine(end - QPointF(kWhiskerEnd, 0), end + QPointF(kWhiskerEnd, 0));
    }
  }
}

void paintSamples(QPainter& painter, const DepthDrawing& drawing) {
  const auto& [frame, data, options, theme] = drawing;
  if (frame.samples.empty()) {
    return;
  }
  painter.setPen(QPen(colorOf(data, data.sampledCurve, kSampleAlpha, theme), 0.8));
  for (const auto& sample : frame.samples) {
    for (const QList<QPointF>& points : sample) {
      painter.drawPolyline(pixelsOf(points, frame.map));
    }
  }
}

}  // namespace

IntervalForm intervalForm(const DepthData& data, const DepthOptions& options, int curve) {
  const auto at = static_cast<std::size_t>(curve);
  if (!options.intervalsShown || !options.visible[at] || data.curves[at].halves.empty()) {
    return IntervalForm::None;
  }
  const auto shown = std::ranges::count(options.visible, true);
  if (shown <= kMaxBands || curve == options.currentCurve) {
    return IntervalForm::Band;
  }
  return shown <= kMaxDirectLabels ? IntervalForm::Whiskers : IntervalForm::None;
}

std::vector<QPolygonF> intervalBands(const DepthFrame& frame, const DepthData& data, int curve) {
  const DepthCurve& drawn = data.curve(curve);
  const SlotRange span = visibleSlots(frame.map.x, data.axis.positions.size());
  std::vector<QPolygonF> bands;
  QPolygonF upper;
  QPolygonF lower;
  const auto finish = [&] {
    if (!upper.isEmpty()) {
      std::reverse(lower.begin(), lower.end());
      bands.emplace_back(upper + lower);
    }
    upper.clear();
    lower.clear();
  };
  for (int slot = span.first; slot <= span.last; ++slot) {
    const IntervalEnds ends = endsAt(frame, drawn, slot);
    if (!ends.isKnown || slot == data.axis.fold) {
      finish();
    }
    if (ends.isKnown) {
      const double x = frame.map.pixelX(slot);
      upper << QPointF(x, ends.high);
      lower << QPointF(x, ends.low);
    }
  }
  finish();
  return bands;
}

std::vector<QLineF> intervalWhiskers(const DepthFrame& frame, const DepthData& data, int curve) {
  const DepthCurve& drawn = data.curve(curve);
  const SlotRange span = visibleSlots(frame.map.x, data.axis.positions.size());
  const double pixels = frame.map.plot.width() / frame.map.x.span();
  const int step = std::max(1, static_cast<int>(std::ceil(kWhiskerDistance / pixels)));
  std::vector<QLineF> whiskers;
  for (int slot = span.first; slot <= span.last; ++slot) {
    const IntervalEnds ends = endsAt(frame, drawn, slot);
    if (slot % step == 0 && ends.isKnown && frame.map.x.contains(slot)) {
      const double x = frame.map.pixelX(slot);
      whiskers.emplace_back(x, ends.low, x, ends.high);
    }
  }
  return whiskers;
}

void paintIntervals(QPainter& painter, const DepthDrawing& drawing) {
  const auto& [frame, data, options, theme] = drawing;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(frame.map.plot, Qt::IntersectClip);
  for (int curve = 0; curve < static_cast<int>(data.curves.size()); ++curve) {
    switch (intervalForm(data, options, curve)) {
      case IntervalForm::None:
        break;
      case IntervalForm::Whiskers:
        paintWhiskers(painter,
                      intervalWhiskers(frame, data, curve),
                      colorOf(data, curve, kWhiskerAlpha, theme));
        break;
      case IntervalForm::Band:
        painter.setPen(Qt::NoPen);
        painter.setBrush(colorOf(data, curve, kBandAlpha, theme));
        for (const QPolygonF& band : intervalBands(frame, data, curve)) {
          painter.drawPolygon(band);
        }
        painter.setBrush(Qt::NoBrush);
        break;
    }
  }
  paintSamples(painter, drawing);
  painter.restore();
}

}  // namespace ulp::views::charts
