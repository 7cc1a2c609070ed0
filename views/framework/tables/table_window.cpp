#include "views/framework/tables/table_window.h"

#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include <QtWidgets/QLabel>
#include <QtWidgets/QTableView>

#include "core/report/tables/data_table.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/words/literal_text.h"

namespace ulp::views {

TableWindow::TableWindow(report::DataTable table, const ThemeManager& themes, QWidget* parent)
    : QDialog(parent) {
  const QString title = QString::fromStdString(table.title);
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(literalTitle(title));
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

namespace {

QVariant sortValue(const report::DataCell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    return QString::fromStdString(*text);
  }
  const double* number = std::get_if<double>(&cell);
  return number == nullptr ? QVariant() : QVariant(*number);
}

bool isNotFinite(const report::DataCell& cell) {
  const double* number = std::get_if<double>(&cell);
  return number != nullptr && !std::isfinite(*number);
}

/// The table as it is and as it is written.
struct ShownTable {
  report::DataTable data;
  report::TextTable text;
};

QVariant cellData(const ShownTable& table, std::size_t row, std::size_t column, int role) {
  const report::DataCell& cell = table.data.rows[row][column];
  switch (role) {
    case Qt::DisplayRole:
      return QString::fromStdString(table.text.rows[row][column]);
    case RawRole:
    case Qt::ToolTipRole:
      return QString::fromStdString(report::exactCell(cell));
    case SortRole:
      return sortValue(cell);
    case DimRole:
      return std::holds_alternative<std::monostate>(cell);
    case NonFiniteRole:
      return isNotFinite(cell) ? QVariant(true) : QVariant();
    default:
      return {};
  }
}

}  // namespace

DataTableModel::DataTableModel(report::DataTable table, QObject* parent) : RowTableModel(parent) {
  report::TextTable text = report::formatTable(table);
  const auto shown = std::make_shared<const ShownTable>(std::move(table), std::move(text));
  auto rows = std::make_shared<std::vector<std::size_t>>(shown->data.rows.size());
  std::iota(rows->begin(), rows->end(), std::size_t{0});
  std::vector<Column<std::size_t>> columns;
  for (std::size_t i = 0; i < shown->text.columns.size(); ++i) {
    const report::TableColumn& column = shown->text.columns[i];
    columns.push_back(
        {.title = QString::fromStdString(column.title),
         .toolTip = {},
         .group = QString::fromStdString(column.group),
         .alignment = (column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
         .cell = [shown, i](const std::size_t& row, int role) {
           return cellData(*shown, row, i, role);
         }});
  }
  setContent(std::move(columns), std::move(rows));
}

}  // namespace ulp::views
