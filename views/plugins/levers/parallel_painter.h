#pragma once

#include <algorithm>
#include <vector>

#include <QtCore/QPointF>
#include <QtCore/QRectF>
#include <QtCore/QStringList>
#include <QtGui/QFont>
#include <QtGui/QFontMetricsF>

#include "views/framework/look/theme.h"
#include "views/plugins/levers/parallel_axes.h"

class QPainter;

namespace ulp::views {

/// Where the axes of a parallel-coordinates chart stand.
struct ParallelFrame {
  std::vector<double> x;      ///< of the axes
  std::vector<double> width;  ///< room for the texts of each axis
  double top = 0;             ///< place 1
  double bottom = 0;          ///< place 0
  double heading = 0;         ///< top of the groups, with the titles of the axes below
  double titles = 1;          ///< lines of the titles: one or two
  double lineHeight = 0;
  double names = 0;       ///< left edge of the names of the lines
  double namesWidth = 0;  ///< 0: too many lines to name them here

  /// What is not finite lies as far above an axis of any length.
  [[nodiscard]] double pixelY(double place) const {
    const double above = std::max(0.0, place - 1) / (kNonFinitePlace - 1);
    return bottom - std::min(place, 1.0) * (bottom - top) - above * 2 * lineHeight;
  }
  [[nodiscard]] double placeAt(double y) const {
    const double above = std::max(0.0, top - y) / (2 * lineHeight);
    return (bottom - std::max(y, top)) / (bottom - top) + above * (kNonFinitePlace - 1);
  }
  [[nodiscard]] QPointF pixelOf(std::size_t axis, const AxisPoint& point) const {
    return {x[axis], pixelY(point.place)};
  }
};

/// Parts a title into one line or two, of which the longer is as short as can be. Names are parted
/// behind '_'.
[[nodiscard]] QStringList axisTitleLines(const QString& title, const QFontMetricsF& metrics);

[[nodiscard]] ParallelFrame parallelFrame(const ParallelData& data,
                                          const QRectF& area,
                                          const QFont& font);
/// Which words of an axis are shown: all numbers, and the settings, from the top, that have room.
[[nodiscard]] std::vector<AxisTick> shownTicks(const ParallelAxis& axis,
                                               const ParallelFrame& frame);
/// Narrowest width at which the titles of all axes can be read.
[[nodiscard]] double parallelWidth(const ParallelData& data, const QFont& font);

/// A point of the chart, or a line alone (axis -1), or nothing (both -1).
struct ParallelSpot {
  int line = -1;
  int axis = -1;
  friend bool operator==(const ParallelSpot&, const ParallelSpot&) = default;
};

/// What is set apart.
struct ParallelLook {
  AxisBrushes brushes;
  std::vector<bool> inside;  ///< brushedLines(); parallel to the lines
  ParallelSpot current;
  ParallelSpot hovered;

  [[nodiscard]] bool isInside(std::size_t line) const {
    return line >= inside.size() || inside[line];
  }
};

/// The nearest line within a few pixels and the axis beside it; an axis alone where no line is
/// near.
[[nodiscard]] ParallelSpot spotAt(const ParallelData& data,
                                  const ParallelFrame& frame,
                                  const QPointF& point);

/// What is drawn at a spot; null: nothing, as where a variant has no value.
[[nodiscard]] const AxisPoint* pointAt(const ParallelData& data, const ParallelSpot& spot);

/// The whole chart with its background, in the painter's font.
void paintParallel(QPainter& painter,
                   const QRectF& area,
                   const ParallelData& data,
                   const ParallelLook& look,
                   const Theme& theme);

}  // namespace ulp::views
