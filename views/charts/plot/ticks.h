#pragma once

#include <functional>
#include <vector>

#include <QtCore/QString>
#include <QtGui/QFontMetricsF>

#include "views/charts/plot/depth_axis.h"
#include "views/charts/plot/viewport.h"

namespace ulp::views::charts {

struct Tick {
  double position = 0;  ///< axis units
  QString label;        ///< empty: a grid line alone
  bool strong = false;  ///< a full decade, or zero
};

/// Ticks of a log10 axis: decades, with 2 and 5 between them where there is room. Labels are the
/// values times `factor` (100 for percentages): "0.01", "1", "1e-7". At least two of any range.
[[nodiscard]] std::vector<Tick> logTicks(const Range& range, int maxLabels, double factor = 1);
/// Ticks of a linear axis at 1, 2 or 5 times a power of ten.
[[nodiscard]] std::vector<Tick> linearTicks(const Range& range, int maxLabels, double factor = 1);

/// Width of the widest label; 0: there is none.
[[nodiscard]] double widestLabel(const std::vector<Tick>& ticks, const QFontMetricsF& metrics);
/// Smallest step of 1, 2, 5, 10, … at which labels of so many pixels do not touch.
[[nodiscard]] int labelStep(double pixelsPerStep, double labelPixels);

/// Labels of the depth axis that do not touch: words (emb, norm, logits) first, then as many layer
/// numbers as fit, in steps of 1, 2, 5, 10, …
[[nodiscard]] std::vector<Tick> slotTicks(const DepthAxis& axis,
                                          const Range& x,
                                          double pixelsPerSlot,
                                          const std::function<double(const QString&)>& widthOf);

/// Moves labels of height `height` apart as little as possible so that none overlaps and all stay
/// within `bounds` (as far as they fit). `centres` in any order; the result is parallel to it.
[[nodiscard]] std::vector<double> spreadLabels(const std::vector<double>& centres,
                                               double height,
                                               const Range& bounds);

}  // namespace ulp::views::charts
