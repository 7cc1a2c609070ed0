#pragma once

#include <vector>

#include <QtCore/QList>
#include <QtCore/QPointF>
#include <QtCore/QRectF>

namespace ulp::views::charts {

/// The pieces of a polyline that lie within `area`: for devices that do not clip, such as SVG.
[[nodiscard]] std::vector<QList<QPointF>> clipLine(const QList<QPointF>& points,
                                                   const QRectF& area);

}  // namespace ulp::views::charts
