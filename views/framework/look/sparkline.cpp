#include "views/framework/look/sparkline.h"

#include <algorithm>
#include <cmath>

#include <QtGui/QPainter>

#include "views/framework/look/variant_painter.h"

namespace ulp::views {
namespace {

constexpr double kMark = 5;

void drawLines(QPainter& painter, const QRectF& rect, const Sparkline& line, const QPen& pen) {
  const auto count = static_cast<double>(line.heights.size());
  QPolygonF piece;
  const auto flush = [&] {
    if (piece.size() == 1) {
      painter.drawEllipse(piece.front(), 1.0, 1.0);
    } else {
      painter.drawPolyline(piece);
    }
    piece.clear();
  };
  painter.setPen(pen);
  for (std::size_t i = 0; i < line.heights.size(); ++i) {
    if (std::isnan(line.heights[i]) || (i == line.fold && i > 0)) {
      flush();
    }
    if (!std::isnan(line.heights[i])) {
      const double x = rect.left() + rect.width() * (static_cast<double>(i) + 0.5) / count;
      piece << QPointF(x, rect.bottom() - rect.height() * line.heights[i]);
    }
  }
  flush();
}

}  // namespace

std::vector<double> sparkHeights(const std::vector<double>& values,
                                 bool logarithmic,
                                 double low,
                                 double high) {
  std::vector<double> heights(values.size());
  const double span = high > low ? high - low : 1;
  std::transform(values.begin(), values.end(), heights.begin(), [&](double value) {
    if (std::isnan(value)) {
      return value;
    }
    const double place = logarithmic ? (value > 0 ? std::log10(value) : low) : value;
    return std::clamp((place - low) / span, 0.0, 1.0);
  });
  return heights;
}

void paintSparkline(QPainter& painter,
                    const QRectF& rect,
                    const Sparkline& line,
                    const Theme& theme) {
  if (line.heights.empty()) {
    return;
  }
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF plot = rect.adjusted(0, kMark / 2 + 1, 0, -2);
  const auto count = static_cast<double>(line.heights.size());
  if (line.fold > 0 && line.fold < line.heights.size()) {
    const double x = plot.left() + plot.width() * static_cast<double>(line.fold) / count;
    painter.setPen(QPen(theme.gridStrong, 0));
    painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
  }
  const VariantStyle style = theme.variantStyle(line.style);
  drawLines(painter, plot, line, QPen(style.color, 1.4));
  const VariantStyle mark{.color = theme.nonFinite, .marker = MarkerShape::TriangleDown};
  for (std::size_t i = 0; i < line.nonFinite.size(); ++i) {
    if (line.nonFinite[i]) {
      const double x = plot.left() + plot.width() * (static_cast<double>(i) + 0.5) / count;
      drawMarker(painter, mark, QPointF(x, rect.top() + kMark / 2 + 1), kMark, theme.nonFinite);
    }
  }
  painter.restore();
}

}  // namespace ulp::views
