#include "views/framework/tables/table_tools.h"

#include <algorithm>

#include <QtCore/QEvent>
#include <QtGui/QFontDatabase>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QTableView>

#include "views/framework/tables/cell_delegate.h"
#include "views/framework/tables/table_clipboard.h"
#include "views/framework/tables/table_header.h"

namespace ulp::views {
namespace {

constexpr int kMeasuredRows = 200;

/// Header and a sample of rows from top to bottom.
int columnWidth(const QTableView& table, int column) {
  const QAbstractItemModel& model = *table.model();
  const auto* header = qobject_cast<const TableHeader*>(table.horizontalHeader());
  int width = header == nullptr ? 0 : header->titleWidth(column);
  QStyleOptionViewItem option;
  option.font = table.font();
  option.fontMetrics = table.fontMetrics();
  const int step = std::max(1, model.rowCount() / kMeasuredRows);
  for (int row = 0; row < model.rowCount(); row += step) {
    const QModelIndex index = model.index(row, column);
    width = std::max(width, table.itemDelegateForIndex(index)->sizeHint(option, index).width());
  }
  return width;
}

void setWidths(QTableView& table, int widest, bool mayShrink) {
  if (table.model() == nullptr) {
    return;
  }
  const int limit = table.fontMetrics().horizontalAdvance(QLatin1Char('m')) * widest;
  for (int column = 0; column < table.model()->columnCount(); ++column) {
    const int wanted = std::min(limit, columnWidth(table, column));
    if (mayShrink || wanted > table.columnWidth(column)) {
      table.setColumnWidth(column, wanted);
    }
  }
}

/// Rows and columns grow with the text when the user changes its size.
class FontFollower : public QObject {
 public:
  explicit FontFollower(QTableView& table)
      : QObject(&table), m_table(table), m_height(table.fontMetrics().height()) {
    table.installEventFilter(this);
  }

  bool eventFilter(QObject* /*watched*/, QEvent* event) override {
    const int height = m_table.fontMetrics().height();
    if (event->type() == QEvent::FontChange && height != m_height) {
      m_table.verticalHeader()->setDefaultSectionSize(rowHeight(m_table.fontMetrics()));
      const int columns = m_table.model() == nullptr ? 0 : m_table.model()->columnCount();
      for (int column = 0; column < columns; ++column) {
        m_table.setColumnWidth(column, m_table.columnWidth(column) * height / m_height);
      }
      m_height = height;
    }
    return false;
  }

 private:
  QTableView& m_table;
  int m_height;
};

}  // namespace

QFont fixedFont(const QFont& like) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  if (like.pixelSize() > 0) {
    font.setPixelSize(like.pixelSize());
  } else {
    font.setPointSizeF(like.pointSizeF());
  }
  font.setBold(like.bold());
  return font;
}

int rowHeight(const QFontMetrics& metrics) {
  return std::max(24, (metrics.height() + 8 + 3) / 4 * 4);
}

void setUpTable(QTableView& table, const ThemeManager& themes) {
  table.setHorizontalHeader(new TableHeader(&table));
  table.setItemDelegate(new CellDelegate(themes, &table));
  table.setShowGrid(false);
  table.setAlternatingRowColors(true);
  table.setWordWrap(false);
  // Names of variants and modules differ at their ends.
  table.setTextElideMode(Qt::ElideMiddle);
  table.setFrameShape(QFrame::NoFrame);
  table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table.setTabKeyNavigation(false);
  table.verticalHeader()->hide();
  table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table.verticalHeader()->setDefaultSectionSize(rowHeight(table.fontMetrics()));
  table.verticalHeader()->setMinimumSectionSize(0);
  addCopyAction(table);
  new FontFollower(table);
}

void fitColumns(QTableView& table, int widest) {
  setWidths(table, widest, true);
}

void widenColumns(QTableView& table, int widest) {
  setWidths(table, widest, false);
}

}  // namespace ulp::views
