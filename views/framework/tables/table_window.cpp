#include "views/framework/tables/table_window.h"

#include <utility>

#include <QtWidgets/QLabel>
#include <QtWidgets/QTableView>

#include "views/framework/tables/data_table_model.h"
#include "views/framework/tables/nan_last_proxy.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/widgets/layouts.h"

namespace ulp::views {

TableWindow::TableWindow(report::DataTable table, const ThemeManager& themes, QWidget* parent)
    : QDialog(parent) {
  const QString title = QString::fromStdString(table.title);
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(title);
  setAccessibleName(title);
  auto* proxy = new NanLastProxy(this);
  proxy->setSourceModel(new DataTableModel(std::move(table), this));
  m_table = makeTable(proxy, title, themes, this);
  sortOnClick(*m_table);
  fitColumns(*m_table);
  auto* heading = new QLabel(title, this);
  heading->setWordWrap(true);
  heading->setTextFormat(Qt::PlainText);
  heading->setContentsMargins(12, 8, 12, 8);
  columnOf(this, {heading, {m_table, 1}}, kTight);
  int width = 2 * m_table->frameWidth() + 40;
  for (int column = 0; column < proxy->columnCount(); ++column) {
    width += m_table->columnWidth(column);
  }
  resize(qBound(360, width, 1200),
         qBound(240, 96 + proxy->rowCount() * rowHeight(fontMetrics()), 720));
}

}  // namespace ulp::views
