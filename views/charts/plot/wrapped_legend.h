#pragma once

#include <vector>

#include <QtCore/QRectF>
#include <QtCore/QString>
#include <QtGui/QFontMetricsF>

#include "views/framework/look/theme.h"

class QPainter;

namespace ulp::views::charts {

/// A curve in a legend.
struct DrawnEntry {
  QString name;
  int style = 0;
};

/// Rows and columns of a legend that is drawn beside a chart with many variants.
struct LegendLayout {
  int columns = 0;
  int rows = 0;
  double cellWidth = 0;
  double lineHeight = 0;

  [[nodiscard]] double height() const;
};

/// In two columns at least where there are several entries: long names are shortened.
[[nodiscard]] LegendLayout legendLayout(const std::vector<DrawnEntry>& entries,
                                        double width,
                                        const QFontMetricsF& metrics);
/// Line, dash, marker and name of each entry; what lies below `area` is left out.
void paintLegend(QPainter& painter,
                 const QRectF& area,
                 const LegendLayout& layout,
                 const std::vector<DrawnEntry>& entries,
                 const Theme& theme);

}  // namespace ulp::views::charts
