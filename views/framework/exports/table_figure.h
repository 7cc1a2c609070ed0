#pragma once

#include <vector>

#include <QtCore/QRectF>
#include <QtGui/QFont>

#include "core/report/tables/text_table.h"
#include "views/framework/look/theme.h"

class QPainter;

namespace ulp::views {

struct RowRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// Where the parts of a painted table stand, in the units of the painter.
struct TableLayout {
  QFont font;
  std::vector<double> lefts;   ///< of the columns
  std::vector<double> widths;  ///< of their texts
  double width = 0;
  double groupHeight = 0;  ///< of the headings over several columns
  double headHeight = 0;   ///< with these
  std::vector<double> rowHeights;

  /// Height of some rows below the headings.
  [[nodiscard]] double height(RowRange rows) const;
};

/// Columns as wide as their texts. With `maxWidth` (0: none) a table that is wider gets a smaller
/// font, down to 70 %, and narrower columns of text, whose cells have several lines. Columns of
/// numbers are never narrower than their numbers: a table of many may stay wider.
[[nodiscard]] TableLayout layoutTable(const report::TextTable& table,
                                      const QFont& font,
                                      double maxWidth = 0);

/// The headings at `place`, then `rows`: what fits on one page.
void paintTable(QPainter& painter,
                const QPointF& place,
                const TableLayout& layout,
                const report::TextTable& table,
                RowRange rows,
                const Theme& theme);

}  // namespace ulp::views
