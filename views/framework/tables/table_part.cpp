#include "views/framework/tables/table_part.h"

#include <algorithm>

#include <QtWidgets/QHeaderView>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTableView>

#include "views/framework/widgets/split_sizes.h"

namespace ulp::views {

int fullHeight(const QTableView& table) {
  return table.model()->rowCount() * table.verticalHeader()->defaultSectionSize() +
         table.horizontalHeader()->sizeHint().height() +
         table.horizontalScrollBar()->sizeHint().height();
}

int partForRows(const QSplitter& split, const QTableView& table) {
  constexpr double kMostForAll = 0.6;
  const int full = fullHeight(table);
  const QWidget* other = split.widget(split.widget(0) == &table ? 1 : 0);
  const int rest = split.height() - split.handleWidth() - full;
  const bool leavesEnough = other == nullptr || rest >= other->minimumHeight();
  if (full <= split.height() / 2 || (full <= split.height() * kMostForAll && leavesEnough)) {
    return full;
  }
  const int row = std::max(1, table.verticalHeader()->defaultSectionSize());
  const int hidden = (full - split.height() / 2 + row - 1) / row;
  return full - std::min(hidden, table.model()->rowCount() - 1) * row;
}

void divideForRows(QSplitter& split, QTableView& table) {
  const int rows = partForRows(split, table);
  const int rest = split.height() - rows;
  divideUntilMoved(split, split.indexOf(&table) == 0 ? QList{rows, rest} : QList{rest, rows});
}

}  // namespace ulp::views
