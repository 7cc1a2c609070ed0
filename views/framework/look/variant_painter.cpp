#include "views/framework/look/variant_painter.h"

#include <cmath>
#include <numbers>

#include <QtGui/QPainter>
#include <QtGui/QPainterPath>

namespace ulp::views {
namespace {

QPointF arm(qreal radius, double degree) {
  const double angle = degree * std::numbers::pi / 180;
  return radius * QPointF(std::cos(angle), -std::sin(angle));
}

QPolygonF regular(const QPointF& centre, qreal radius, std::initializer_list<double> degrees) {
  QPolygonF polygon;
  for (const double degree : degrees) {
    polygon << centre + arm(radius, degree);
  }
  return polygon;
}

QPainterPath strokes(const QPointF& centre, qreal radius, std::initializer_list<double> degrees) {
  QPainterPath path;
  for (const double degree : degrees) {
    path.moveTo(centre - arm(radius, degree));
    path.lineTo(centre + arm(radius, degree));
  }
  return path;
}

QPainterPath markerPath(MarkerShape shape, const QPointF& centre, qreal size) {
  const qreal r = size / 2;
  QPainterPath path;
  switch (shape) {
    case MarkerShape::Circle:
      path.addEllipse(centre, r, r);
      break;
    case MarkerShape::Square:
      path.addPolygon(regular(centre, r * 1.2, {45, 135, 225, 315, 45}));
      break;
    case MarkerShape::Diamond:
      path.addPolygon(regular(centre, r * 1.25, {0, 90, 180, 270, 0}));
      break;
    case MarkerShape::TriangleUp:
      path.addPolygon(regular(centre, r * 1.3, {90, 210, 330, 90}));
      break;
    case MarkerShape::TriangleDown:
      path.addPolygon(regular(centre, r * 1.3, {270, 30, 150, 270}));
      break;
    case MarkerShape::Plus:
      return strokes(centre, r * 1.2, {0, 90});
    case MarkerShape::Cross:
      return strokes(centre, r * 1.2, {45, 135});
    case MarkerShape::Star:
      return strokes(centre, r * 1.2, {90, 30, 150});
  }
  return path;
}

}  // namespace

QPen variantPen(const VariantStyle& style, qreal width) {
  QPen pen(style.color, width);
  pen.setCapStyle(Qt::FlatCap);
  pen.setJoinStyle(Qt::RoundJoin);
  if (!style.dashes.isEmpty()) {
    pen.setDashPattern(style.dashes);
  }
  return pen;
}

void drawMarker(QPainter& painter,
                const VariantStyle& style,
                const QPointF& centre,
                qreal size,
                const QColor& fill) {
  painter.save();
  painter.setPen(QPen(style.color, size > 5 ? 1.6 : 1.2));
  painter.setBrush(fill);
  painter.drawPath(markerPath(style.marker, centre, size));
  painter.restore();
}

void drawSample(QPainter& painter, const VariantStyle& style, const QRectF& rect) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(variantPen(style, 2));
  const qreal middle = rect.center().y();
  painter.drawLine(QPointF(rect.left(), middle), QPointF(rect.right(), middle));
  drawMarker(painter, style, rect.center(), 7, style.color);
  painter.restore();
}

}  // namespace ulp::views
