#pragma once

#include <QtWidgets/QTableView>

namespace ulp::views {

class ThemeManager;

/// Shows the first column of a table above its left edge while the other columns are scrolled
/// sideways, so that rows keep their names. Made once the table has its model; shares its
/// selection. Absent while nothing is scrolled, and where the column is wider than half the table.
class FrozenColumn : public QTableView {
  Q_OBJECT

 public:
  FrozenColumn(QTableView& table, const ThemeManager& themes);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void hideOtherColumns();
  void place();
  void uncover(const QModelIndex& index);

  QTableView& m_table;
  QWidget* m_edge;  ///< line at the right, where numbers disappear behind this column
};

}  // namespace ulp::views
