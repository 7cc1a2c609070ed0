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
  return std::min(fullHeight(table), split.height() / 2);
}

void divideForRows(QSplitter& split, QTableView& table) {
  const int rows = partForRows(split, table);
  const int rest = split.height() - rows;
  divideUntilMoved(split, split.indexOf(&table) == 0 ? QList{rows, rest} : QList{rest, rows});
}

}  // namespace ulp::views
