#include "views/plugins/bookmarks/bookmarks_view.h"

#include <QtGui/QAction>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QStackedLayout>
#include <QtWidgets/QTableView>

#include "views/framework/look/icons.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/workspace/bookmarks.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/bookmarks/bookmark_model.h"

namespace ulp::views {

BookmarksView::BookmarksView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_model(new BookmarkModel(context.bookmarks, this)),
      m_table(new QuietTableView(this)),
      m_empty(new EmptyState(this)),
      m_pages(new QStackedLayout(this)),
      m_add(new QAction(themedIcon(QStringLiteral("bookmark")), tr("Add a bookmark"), this)),
      m_remove(new QAction(themedIcon(QStringLiteral("close")), tr("Remove this bookmark"), this)) {
  setUpTable(*m_table, context.themes);
  m_table->setModel(m_model);
  m_table->setObjectName(QStringLiteral("bookmarks"));
  m_table->setAccessibleName(tr("Bookmarks"));
  m_table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
  m_table->horizontalHeader()->setStretchLastSection(false);
  m_table->horizontalHeader()->setSectionResizeMode(BookmarkModel::Title,
                                                    QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setSectionResizeMode(BookmarkModel::Note, QHeaderView::Stretch);
  m_pages->addWidget(m_empty);
  m_pages->addWidget(m_table);
  setFocusProxy(m_table);
  Bookmarks& bookmarks = context.bookmarks;
  connect(m_add, &QAction::triggered, &bookmarks, &Bookmarks::addCurrent);
  connect(m_remove, &QAction::triggered, this, [this] {
    if (m_table->currentIndex().isValid()) {
      this->context().bookmarks.remove(static_cast<std::size_t>(m_table->currentIndex().row()));
    }
  });
  connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
    this->context().bookmarks.goTo(static_cast<std::size_t>(index.row()));
  });
  connect(&bookmarks, &Bookmarks::changed, this, &BookmarksView::refresh);
  connect(m_table->selectionModel(),
          &QItemSelectionModel::currentRowChanged,
          this,
          &BookmarksView::refresh);
  refresh();
}

void BookmarksView::setReport(const DocumentPtr& document) {
  m_hasReport = document != nullptr;
  refresh();
}

void BookmarksView::refresh() {
  const bool isEmpty = context().bookmarks.all().empty();
  m_pages->setCurrentWidget(isEmpty ? static_cast<QWidget*>(m_empty) : m_table);
  m_add->setEnabled(m_hasReport);
  m_remove->setEnabled(!isEmpty && m_table->currentIndex().isValid());
  if (!m_hasReport) {
    m_empty->setNoReport(tr("Here are the places that you want to come back to, with your notes."),
                         context().workspace.requests);
  } else if (isEmpty) {
    m_empty->setText(tr("No bookmarks yet"),
                     tr("Ctrl+B marks what is selected. Bookmarks and notes are kept beside the "
                        "report."));
    m_empty->setButton(tr("Bookmark the selection"), [this] { m_add->trigger(); });
  }
}

QList<QAction*> BookmarksView::viewActions() const {
  return {m_add, m_remove};
}

std::vector<Exhibit> BookmarksView::exhibits() const {
  if (context().bookmarks.all().empty()) {
    return {};
  }
  return {{.id = QStringLiteral("bookmarks"),
           .title = tr("Bookmarks"),
           .paint = {},
           .table = [bookmarks = context().bookmarks.all()] {
             report::DataTable table{.title = "Bookmarks",
                                     .columns = {{.title = "Bookmark"}, {.title = "Note"}},
                                     .rows = {}};
             for (const report::Bookmark& bookmark : bookmarks) {
               table.rows.push_back({bookmark.title, bookmark.note});
             }
             return table;
           }}};
}

void registerBookmarks(ViewRegistry& registry) {
  registry.add({.id = QStringLiteral("bookmarks"),
                .title = BookmarksView::tr("Bookmarks"),
                .toolTip = BookmarksView::tr("Places to come back to, with notes"),
                .icon = QStringLiteral("bookmark"),
                .shortcut = QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_B),
                .area = ViewArea::Bottom,
                .order = 90,
                .purpose = ViewPurpose::Bookmarks,
                .shownAtStart = false,
                .make = [](const ViewContext& context) {
                  return std::make_unique<BookmarksView>(context);
                }});
}

}  // namespace ulp::views
