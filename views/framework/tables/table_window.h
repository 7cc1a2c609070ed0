#pragma once

#include <QtWidgets/QDialog>

#include "core/report/tables/data_table.h"

class QTableView;

namespace ulp::views {

class ThemeManager;

/// What a chart draws, as a table in a window of its own: sorted by a click on a heading, copied
/// with Ctrl+C. It stays as it is when the chart changes.
class TableWindow : public QDialog {
  Q_OBJECT

 public:
  TableWindow(report::DataTable table, const ThemeManager& themes, QWidget* parent = nullptr);

  [[nodiscard]] QTableView& table() { return *m_table; }

 private:
  QTableView* m_table = nullptr;
};

}  // namespace ulp::views
