#include "views/charts/plot/clip_line.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace ulp::views::charts {
namespace {

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

}  // namespace

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

}  // namespace ulp::views::charts
