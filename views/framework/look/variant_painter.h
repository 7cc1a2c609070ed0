#pragma once

#include <QtCore/QPointF>
#include <QtCore/QRectF>
#include <QtGui/QPen>

#include "views/framework/look/theme.h"

class QPainter;

namespace ulp::views {

/// Pen of a variant's curve, `width` in device-independent pixels.
[[nodiscard]] QPen variantPen(const VariantStyle& style, qreal width);
/// Draws a marker of about `size` pixels; filled, or hollow with the current brush of `fill`.
void drawMarker(QPainter& painter,
                const VariantStyle& style,
                const QPointF& centre,
                qreal size,
                const QColor& fill);
/// Short line with the marker in its middle, as in a legend.
void drawSample(QPainter& painter, const VariantStyle& style, const QRectF& rect);

}  // namespace ulp::views
