#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QtCore/QList>
#include <QtCore/QPointF>
#include <QtCore/QRectF>
#include <QtCore/QStringList>
#include <QtGui/QColor>

#include "views/framework/look/theme.h"

class QPainter;

/// What all charts measure and paint with, in device-independent pixels where nothing else is said.
namespace ulp::views::charts {

/// Between the parts of a chart, and between its edge and them.
inline constexpr double kGap = 8;
/// Between two labels of an axis.
inline constexpr double kLabelGap = 6;
/// Pixels of a file for one of a screen: pictures in files may be enlarged.
inline constexpr double kFileRatio = 2;
/// Of a filled band of values.
inline constexpr float kBandAlpha = 0.18F;

/// Returns the colour with this opacity, 0 … 1.
[[nodiscard]] QColor translucent(QColor color, float alpha);
/// Draws a sharp line over the height of a plot, at the pixel of `x`.
void drawVertical(QPainter& painter, const QRectF& plot, double x);

/// The pieces of a polyline that lie within `area`: for devices that do not clip, such as SVG.
[[nodiscard]] std::vector<QList<QPointF>> clipLine(const QList<QPointF>& points,
                                                   const QRectF& area);

/// A line of a read-out; its values stand in columns, aligned to the right.
struct ReadoutLine {
  QString name;
  QStringList values;
  QColor nameColor;
  QColor valueColor;
  std::optional<VariantStyle> sample{};  ///< drawn in front of the name
};
/// What is said of the place under the mouse.
struct Readout {
  QString title;
  bool hasSamples = false;  ///< keeps room for them in front of all names
  std::vector<ReadoutLine> lines{};
};
/// Returns the left edge of a box that is to stand at `left`, moved so that it can be seen as a
/// whole, or from its left edge on where the device is too narrow for it.
[[nodiscard]] double leftWithin(const QPainter& painter, double left, double width);
/// Paints a read-out, its title in bold. `placeOf` says where the top left corner of a box of a
/// size is to stand; leftWithin() moves it. Leaves the painter with the font that it had, but
/// another pen and brush.
void paintReadout(QPainter& painter,
                  const Readout& readout,
                  const Theme& theme,
                  const std::function<QPointF(const QSizeF& size)>& placeOf);

}  // namespace ulp::views::charts
