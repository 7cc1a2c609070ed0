#pragma once

#include <QtWidgets/QTableView>

namespace ulp::views {

/// A table that tells screen readers of its current cell and its selection only while it has the
/// focus. Tables follow the selection of the window: Qt's (before 6.6) would say so each time, and
/// the reader would leave the chart or table in which the user moves.
class QuietTableView : public QTableView {
  Q_OBJECT

 public:
  using QTableView::QTableView;

 protected:
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
  void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
};

}  // namespace ulp::views
