#include "views/framework/tables/table_tools.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QFontDatabase>
#include <QtGui/QGuiApplication>
#include <QtGui/QResizeEvent>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QTableView>

#include "core/report/tables/data_table.h"
#include "views/framework/look/font_follower.h"
#include "views/framework/tables/cell_delegate.h"
#include "views/framework/tables/table_header.h"
#include "views/framework/tables/table_roles.h"
#include "views/framework/words/utf8_text.h"

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
  auto* header = qobject_cast<TableHeader*>(table.horizontalHeader());
  for (int column = 0; column < table.model()->columnCount(); ++column) {
    if (header != nullptr && header->isUserSized(column)) {
      continue;
    }
    const int wanted = std::min(limit, columnWidth(table, column));
    if (mayShrink || wanted > table.columnWidth(column)) {
      table.setColumnWidth(column, wanted);
    }
  }
  if (header != nullptr) {
    header->fitGroups();
  }
}

/// Rows and columns grow with the text when the user changes its size.
void growWithText(QTableView& table) {
  new FontFollower(table, [&table, known = table.fontMetrics().height()]() mutable {
    const int height = table.fontMetrics().height();
    if (height == known) {
      return;
    }
    table.verticalHeader()->setDefaultSectionSize(rowHeight(table.fontMetrics()));
    const int columns = table.model() == nullptr ? 0 : table.model()->columnCount();
    for (int column = 0; column < columns; ++column) {
      table.setColumnWidth(column, table.columnWidth(column) * height / known);
    }
    known = height;
  });
}

/// Cells and titles move within their rooms as these are scrolled out of sight. What Qt scrolls is
/// painted anew only where it was not seen before.
void repaintWhatIsCut(QTableView& table, TableHeader& header) {
  const auto repaint = [&table, &header] {
    table.viewport()->update();
    header.viewport()->update();
  };
  QObject::connect(table.horizontalScrollBar(), &QScrollBar::valueChanged, &table, repaint);
  QObject::connect(&header, &TableHeader::seenPartChanged, &table, repaint);
}

/// What is selected, as whole rows and columns: a hole in a selection is copied with its
/// neighbours.
struct CopiedArea {
  std::vector<int> rows;
  std::vector<int> columns;
};

CopiedArea selectedArea(const QTableView& table) {
  std::set<int> rows;
  std::set<int> columns;
  for (const QItemSelectionRange& range : table.selectionModel()->selection()) {
    for (int row = range.top(); row <= range.bottom(); ++row) {
      rows.insert(row);
    }
    for (int column = range.left(); column <= range.right(); ++column) {
      if (!table.isColumnHidden(column)) {
        columns.insert(column);
      }
    }
  }
  CopiedArea area{{rows.begin(), rows.end()}, {columns.begin(), columns.end()}};
  std::ranges::sort(area.columns, {}, [header = table.horizontalHeader()](int column) {
    return header->visualIndex(column);
  });
  return area;
}

/// A cell of what spreadsheets paste.
QString plainCell(const QString& text) {
  return utf8Text(report::tsvField(report::spreadsheetText(text.toStdString())));
}

QString exactCell(const QModelIndex& index) {
  const QVariant raw = index.data(RawRole);
  return plainCell(raw.isValid() ? raw.toString() : index.data().toString());
}

/// Whether the numbers of a column are means with an interval, which is copied as a column of its
/// own.
bool holdsIntervals(const QAbstractItemModel& model, const std::vector<int>& rows, int column) {
  return std::ranges::any_of(
      rows, [&](int row) { return model.index(row, column).data(IntervalRole).isValid(); });
}

QString tsvOf(const QAbstractItemModel& model, const CopiedArea& area, bool rowHeaders) {
  QStringList cells = rowHeaders ? QStringList{QString()} : QStringList();
  std::set<int> withIntervals;
  for (const int column : area.columns) {
    const QString header = plainCell(model.headerData(column, Qt::Horizontal).toString());
    cells << header;
    if (holdsIntervals(model, area.rows, column)) {
      withIntervals.insert(column);
      cells << header + QStringLiteral(" ±");
    }
  }
  QString text = cells.join(u'\t') + u'\n';
  for (const int row : area.rows) {
    cells.clear();
    if (rowHeaders) {
      cells << plainCell(model.headerData(row, Qt::Vertical).toString());
    }
    for (const int column : area.columns) {
      const QModelIndex cell = model.index(row, column);
      cells << exactCell(cell);
      if (withIntervals.contains(column)) {
        cells << cell.data(IntervalRole).toString();
      }
    }
    text += cells.join(u'\t') + u'\n';
  }
  return text;
}

QString htmlOf(const QAbstractItemModel& model, const CopiedArea& area, bool rowHeaders) {
  QString html = QStringLiteral("<table><tr>");
  const auto head = [](const QString& text) {
    return QStringLiteral("<th>%1</th>").arg(text.toHtmlEscaped());
  };
  if (rowHeaders) {
    html += head({});
  }
  for (const int column : area.columns) {
    html += head(model.headerData(column, Qt::Horizontal).toString());
  }
  html += QStringLiteral("</tr>");
  for (const int row : area.rows) {
    html += QStringLiteral("<tr>");
    if (rowHeaders) {
      html += head(model.headerData(row, Qt::Vertical).toString());
    }
    for (const int column : area.columns) {
      html += QStringLiteral("<td>%1</td>")
                  .arg(model.index(row, column).data().toString().trimmed().toHtmlEscaped());
    }
    html += QStringLiteral("</tr>");
  }
  return html + QStringLiteral("</table>");
}

/// Lets the selection be copied with the standard key, and the cell that was clicked.
void addCopyActions(QTableView& table) {
  const auto add = [&table](const QString& text, const QKeySequence& key, auto copy) {
    auto* action = new QAction(text, &table);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(action, &QAction::triggered, &table, copy);
    table.addAction(action);
  };
  add(QCoreApplication::translate("ulp::views::TableClipboard", "Copy"),
      QKeySequence::Copy,
      [&table] {
        if (auto data = copyOfSelection(table)) {
          QGuiApplication::clipboard()->setMimeData(data.release());
        }
      });
  add(QCoreApplication::translate("ulp::views::TableClipboard", "Copy cell"),
      Qt::CTRL | Qt::ALT | Qt::Key_C,
      [&table] {
        if (table.currentIndex().isValid()) {
          QGuiApplication::clipboard()->setText(exactCell(table.currentIndex()));
        }
      });
  table.setContextMenuPolicy(Qt::ActionsContextMenu);
}

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
  auto* const header = new TableHeader(&table);
  table.setHorizontalHeader(header);
  repaintWhatIsCut(table, *header);
  table.setItemDelegate(new CellDelegate(themes, &table));
  table.setShowGrid(false);
  table.setAlternatingRowColors(true);
  table.setWordWrap(false);
  // CellDelegate shortens, by what a text is.
  table.setTextElideMode(Qt::ElideNone);
  table.setFrameShape(QFrame::NoFrame);
  table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table.setTabKeyNavigation(false);
  table.verticalHeader()->hide();
  table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table.verticalHeader()->setDefaultSectionSize(rowHeight(table.fontMetrics()));
  table.verticalHeader()->setMinimumSectionSize(0);
  addCopyActions(table);
  growWithText(table);
}

QTableView* makeTable(QAbstractItemModel* model,
                      const QString& name,
                      const ThemeManager& themes,
                      QWidget* parent) {
  auto* table = new QuietTableView(parent);
  setUpTable(*table, themes);
  table->setModel(model);
  table->setAccessibleName(name);
  return table;
}

void sortOnClick(QTableView& table) {
  table.horizontalHeader()->setSortIndicatorClearable(true);
  // Before sorting is enabled, which sorts by the heading that has the indicator.
  table.horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  table.setSortingEnabled(true);
}

void sortElsewhere(QTableView& table, std::function<void(int, Qt::SortOrder)> sort) {
  QHeaderView* const header = table.horizontalHeader();
  header->setSectionsMovable(true);
  header->setSortIndicatorShown(true);
  header->setSortIndicatorClearable(true);
  header->setSortIndicator(-1, Qt::AscendingOrder);
  QObject::connect(header, &QHeaderView::sortIndicatorChanged, &table, std::move(sort));
}

void leadToFilter(QTableView& table, QLineEdit& filter, const QString& text) {
  auto* find = new QAction(text, &table);
  find->setShortcuts({QKeySequence(QKeySequence::Find), QKeySequence(Qt::Key_Slash)});
  find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  QObject::connect(find, &QAction::triggered, &filter, qOverload<>(&QLineEdit::setFocus));
  table.addAction(find);
}

void selectOnly(QTableView& table, int row) {
  if (row < 0) {
    table.clearSelection();
    return;
  }
  // Qt makes the first row current without selecting it when the table gets the focus.
  if (table.currentIndex().row() != row || !table.selectionModel()->isRowSelected(row)) {
    table.setCurrentIndex(table.model()->index(row, std::max(0, table.currentIndex().column())));
  }
}

QRect areaOfSelected(const QTableView& table, int row) {
  if (row < 0 || !table.selectionModel()->isRowSelected(row)) {
    return {};
  }
  return {0, table.rowViewportPosition(row), table.viewport()->width(), table.rowHeight(row)};
}

void fitColumns(QTableView& table, int widest) {
  setWidths(table, widest, true);
}

void widenColumns(QTableView& table, int widest) {
  setWidths(table, widest, false);
}

std::unique_ptr<QMimeData> copyOfSelection(const QTableView& table) {
  if (table.selectionModel() == nullptr || !table.selectionModel()->hasSelection()) {
    return nullptr;
  }
  const CopiedArea area = selectedArea(table);
  const bool rowHeaders = !table.verticalHeader()->isHidden();
  auto data = std::make_unique<QMimeData>();
  data->setText(tsvOf(*table.model(), area, rowHeaders));
  data->setHtml(htmlOf(*table.model(), area, rowHeaders));
  return data;
}

namespace {

bool isMissing(const QVariant& value) {
  return !value.isValid() || (value.typeId() == QMetaType::Double && std::isnan(value.toDouble()));
}

}  // namespace

NanLastProxy::NanLastProxy(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(SortRole);
  setDynamicSortFilter(true);
}

bool NanLastProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const QVariant a = left.data(SortRole);
  const QVariant b = right.data(SortRole);
  const bool aMissing = isMissing(a);
  const bool bMissing = isMissing(b);
  if (aMissing || bMissing) {
    // The proxy swaps the arguments to sort downwards, so "last" depends on the direction.
    return sortOrder() == Qt::AscendingOrder ? !aMissing && bMissing : aMissing && !bMissing;
  }
  return QSortFilterProxyModel::lessThan(left, right);
}

void QuietTableView::focusInEvent(QFocusEvent* event) {
  if (currentIndex().isValid()) {
    QTableView::focusInEvent(event);
    return;
  }
  // NOLINTNEXTLINE(bugprone-parent-virtual-call)
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
}

void QuietTableView::resizeEvent(QResizeEvent* event) {
  const int row = currentIndex().row();
  const int top = row < 0 ? -1 : rowViewportPosition(row);
  QTableView::resizeEvent(event);
  const int beyond = row < 0 ? 0 : top + rowHeight(row) - viewport()->height();
  if (top >= 0 && top < event->oldSize().height() && beyond > 0) {
    verticalScrollBar()->setValue(verticalScrollBar()->value() + std::min(beyond, top));
  }
}

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
