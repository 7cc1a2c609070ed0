#include "views/framework/tables/quiet_table_view.h"

namespace ulp::views {

// What QTableView adds to its base are the messages to screen readers.
void QuietTableView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  if (hasFocus()) {
    QTableView::currentChanged(current, previous);
  } else {
    // NOLINTNEXTLINE(bugprone-parent-virtual-call)
    QAbstractItemView::currentChanged(current, previous);
  }
}

void QuietTableView::selectionChanged(const QItemSelection& selected,
                                      const QItemSelection& deselected) {
  if (hasFocus()) {
    QTableView::selectionChanged(selected, deselected);
  } else {
    // NOLINTNEXTLINE(bugprone-parent-virtual-call)
    QAbstractItemView::selectionChanged(selected, deselected);
  }
}

}  // namespace ulp::views
