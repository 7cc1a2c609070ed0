#pragma once

#include <QtCore/QRectF>
#include <QtCore/QString>

#include "views/framework/look/theme.h"

class QPainter;

namespace ulp::views::charts {

/// Returns the left edge of a box that is to stand at `left`, moved so that it can be seen as a
/// whole, or from its left edge on where the device is too narrow for it.
[[nodiscard]] double leftWithin(const QPainter& painter, double left, double width);
/// Paints the ground of a read-out and its title, in bold; returns the line of the title, below
/// which others follow at its height. Leaves the painter with the font that it had.
QRectF paintReadoutBox(QPainter& painter,
                       const QRectF& box,
                       const QString& title,
                       const Theme& theme);

}  // namespace ulp::views::charts
