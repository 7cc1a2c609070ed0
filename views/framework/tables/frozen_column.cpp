#include "views/framework/tables/frozen_column.h"

#include <algorithm>

#include <QtCore/QCoreApplication>
#include <QtCore/QEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QAccessibleWidget>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QScrollBar>

#include "views/framework/tables/table_header.h"
#include "views/framework/tables/table_tools.h"

namespace ulp::views {
namespace {

/// Of the table that the column covers.
constexpr int kMostPercent = 45;

/// Screen readers read the table itself. It knows no children but cells and headers, so that this
/// one is told to be beside it.
class UnreadColumn final : public QAccessibleWidget {
 public:
  UnreadColumn(FrozenColumn& column, const QTableView& table)
      : QAccessibleWidget(&column, QAccessible::NoRole), m_table(table) {}

  [[nodiscard]] QAccessibleInterface* parent() const override {
    QWidget* const beside = m_table.parentWidget();
    return beside == nullptr ? QAccessible::queryAccessibleInterface(QCoreApplication::instance())
                             : QAccessible::queryAccessibleInterface(beside);
  }
  [[nodiscard]] int childCount() const override { return 0; }
  [[nodiscard]] QAccessibleInterface* child(int /*index*/) const override { return nullptr; }
  [[nodiscard]] QAccessible::State state() const override {
    QAccessible::State state = QAccessibleWidget::state();
    state.invisible = true;
    return state;
  }

 private:
  const QTableView& m_table;
};

QAccessibleInterface* makeUnread(const QString& /*className*/, QObject* object) {
  auto* column = qobject_cast<FrozenColumn*>(object);
  // Qt takes it over.
  return column == nullptr ? nullptr : new UnreadColumn(*column, column->table());
}

}  // namespace

FrozenColumn::FrozenColumn(QTableView& table, const ThemeManager& themes)
    : QuietTableView(&table), m_table(table) {
  QAccessible::installFactory(&makeUnread);
  setObjectName(QStringLiteral("frozenColumn"));
  setUpTable(*this, themes);
  setModel(table.model());
  setSelectionModel(table.selectionModel());
  setSelectionMode(table.selectionMode());
  setSelectionBehavior(table.selectionBehavior());
  setFocusPolicy(Qt::NoFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAutoScroll(false);
  setAccessibleName(tr("First column, always in sight"));
  for (QAction* own : actions()) {
    removeAction(own);
  }
  addActions(table.actions());
  QHeaderView& own = *horizontalHeader();
  QHeaderView& header = *table.horizontalHeader();
  own.setSectionResizeMode(QHeaderView::Fixed);
  own.setSortIndicatorShown(header.isSortIndicatorShown());
  own.setSortIndicatorClearable(header.isSortIndicatorClearable());
  own.setSortIndicator(header.sortIndicatorSection(), header.sortIndicatorOrder());
  // A click on the title sorts, as in the table; by default it would select the column.
  disconnect(&own, &QHeaderView::sectionPressed, this, nullptr);
  disconnect(&own, &QHeaderView::sectionEntered, this, nullptr);
  connect(&own, &QHeaderView::sortIndicatorChanged, &header, &QHeaderView::setSortIndicator);
  connect(&header, &QHeaderView::sortIndicatorChanged, &own, &QHeaderView::setSortIndicator);
  connect(&header, &QHeaderView::sectionResized, this, &FrozenColumn::place);
  connect(table.horizontalScrollBar(), &QScrollBar::valueChanged, this, &FrozenColumn::place);
  connect(table.verticalScrollBar(),
          &QScrollBar::valueChanged,
          verticalScrollBar(),
          &QScrollBar::setValue);
  connect(verticalScrollBar(),
          &QScrollBar::valueChanged,
          table.verticalScrollBar(),
          &QScrollBar::setValue);
  connect(this, &QTableView::activated, &table, &QTableView::activated);
  connect(model(), &QAbstractItemModel::modelReset, this, &FrozenColumn::hideOtherColumns);
  connect(model(), &QAbstractItemModel::columnsInserted, this, &FrozenColumn::hideOtherColumns);
  connect(selectionModel(),
          &QItemSelectionModel::currentChanged,
          this,
          [this](const QModelIndex& current) { uncover(current); });
  table.installEventFilter(this);
  table.viewport()->installEventFilter(this);
  hideOtherColumns();
  place();
}

bool FrozenColumn::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::Show ||
      event->type() == QEvent::LayoutRequest) {
    place();
  }
  return QuietTableView::eventFilter(watched, event);
}

void FrozenColumn::paintEvent(QPaintEvent* event) {
  QuietTableView::paintEvent(event);
  QPainter painter(viewport());
  painter.fillRect(viewport()->width() - 1, 0, 1, viewport()->height(), palette().mid());
}

void FrozenColumn::hideOtherColumns() {
  for (int column = 1; column < model()->columnCount(); ++column) {
    setColumnHidden(column, true);
  }
}

void FrozenColumn::place() {
  const QRect viewport = m_table.viewport()->geometry();
  // A narrow table keeps room for numbers, and names that can be told apart.
  const int width = std::min(m_table.columnWidth(0), viewport.width() * kMostPercent / 100);
  setVisible(model()->columnCount() > 1 && m_table.horizontalScrollBar()->value() > 0);
  if (auto* const title = qobject_cast<TableHeader*>(m_table.horizontalHeader())) {
    title->setCovered(isHidden() ? 0 : width);
  }
  if (isHidden()) {
    return;
  }
  setColumnWidth(0, width);
  const QHeaderView& header = *m_table.horizontalHeader();
  horizontalHeader()->setFixedHeight(header.height());
  setGeometry(viewport.left(), header.geometry().top(), width, header.height() + viewport.height());
  verticalScrollBar()->setValue(m_table.verticalScrollBar()->value());
  raise();
}

void FrozenColumn::uncover(const QModelIndex& index) {
  if (isHidden() || index.column() == 0) {
    return;
  }
  const int covered = width() - m_table.visualRect(index).left();
  if (covered > 0) {
    QScrollBar& bar = *m_table.horizontalScrollBar();
    bar.setValue(bar.value() - covered);
  }
}

}  // namespace ulp::views
