#pragma once

#include <vector>

#include <QtCore/QRectF>
#include <QtGui/QFont>

#include "core/report/tables/text_table.h"
#include "views/framework/look/theme.h"

class QPainter;

namespace ulp::views {

/// Where the parts of a painted table stand, in the units of the painter.
struct TableLayout {
  QFont font;
  std::vector<double> lefts;   ///< of the columns
  std::vector<double> widths;  ///< of their texts
  double width = 0;
  double headHeight = 0;
  double rowHeight = 0;

  [[nodiscard]] double height(std::size_t rows) const {
    return headHeight + rowHeight * static_cast<double>(rows);
  }
};

/// Columns as wide as their texts. With `maxWidth` (0: none) a table that is wider gets a smaller
/// font, down to 70 %, and then narrower columns of text, whose cells lose their middle.
[[nodiscard]] TableLayout layoutTable(const report::TextTable& table,
                                      const QFont& font,
                                      double maxWidth = 0);

struct RowRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The headings at `place`, then `rows`: what fits on one page.
void paintTable(QPainter& painter,
                const QPointF& place,
                const TableLayout& layout,
                const report::TextTable& table,
                RowRange rows,
                const Theme& theme);

}  // namespace ulp::views
