#pragma once

#include <memory>
#include <vector>

#include <QtCore/QMetaType>
#include <QtCore/QRectF>

#include "views/framework/look/theme.h"

class QPainter;

namespace ulp::views {

/// A curve without axes, small enough for a table cell.
struct Sparkline {
  std::vector<double> heights;  ///< 0 … 1 from the bottom; NaN: a gap
  std::vector<bool> nonFinite;  ///< parallel to heights: marked at the top edge
  std::size_t fold = 0;         ///< first point behind the mark between the passes; 0: no mark
  int style = 0;                ///< of the variant
};

using SparklinePtr = std::shared_ptr<const Sparkline>;

/// Heights of `values` between `low` and `high` (both in log10 where `logarithmic`); what lies
/// outside is drawn at the edge, zero on a logarithmic scale at the bottom.
[[nodiscard]] std::vector<double> sparkHeights(const std::vector<double>& values,
                                               bool logarithmic,
                                               double low,
                                               double high);

void paintSparkline(QPainter& painter,
                    const QRectF& rect,
                    const Sparkline& line,
                    const Theme& theme);

}  // namespace ulp::views

Q_DECLARE_METATYPE(ulp::views::SparklinePtr)
