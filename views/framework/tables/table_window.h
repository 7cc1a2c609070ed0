#pragma once

#include <QtWidgets/QDialog>

#include "core/report/tables/data_table.h"
#include "views/framework/tables/row_table_model.h"

class QTableView;

namespace ulp::views {

/// A DataTable as an item model, whose rows are numbers of the table's rows: shown as formatTable()
/// writes it, sorted by its numbers, copied with every digit.
class DataTableModel final : public RowTableModel<std::size_t> {
 public:
  explicit DataTableModel(report::DataTable table, QObject* parent = nullptr);
};

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
