#pragma once

#include "views/framework/tables/table_tools.h"

namespace ulp::views {

class ThemeManager;

/// Shows the first column of a table above its left edge while the other columns are scrolled
/// sideways, so that rows keep their names. Made once the table has its model; shares its
/// selection. Absent while nothing is scrolled; in a narrow table narrower than the column itself.
class FrozenColumn : public QuietTableView {
  Q_OBJECT

 public:
  FrozenColumn(QTableView& table, const ThemeManager& themes);

  [[nodiscard]] const QTableView& table() const { return m_table; }
  /// Scrolls the table until a cell is no longer behind this column.
  void uncover(const QModelIndex& index);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  /// With a line at the right, where numbers disappear behind this column.
  void paintEvent(QPaintEvent* event) override;

 private:
  void hideOtherColumns();
  void place();

  QTableView& m_table;
};

}  // namespace ulp::views
