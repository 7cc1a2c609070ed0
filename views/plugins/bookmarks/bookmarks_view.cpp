#include "views/plugins/bookmarks/bookmarks_view.h"

#include <QtGui/QAction>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QTableView>

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
      m_table(makeTable(m_model, tr("Bookmarks"), context.themes, this)),
      m_add(makeTitleAction({.icon = "bookmark", .text = tr("Add a bookmark")})),
      m_remove(makeTitleAction({.icon = "close", .text = tr("Remove this bookmark")})) {
  m_table->setObjectName(QStringLiteral("bookmarks"));
  m_table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
  m_table->horizontalHeader()->setStretchLastSection(false);
  m_table->horizontalHeader()->setSectionResizeMode(BookmarkModel::Title,
                                                    QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setSectionResizeMode(BookmarkModel::Note, QHeaderView::Stretch);
  setPage(m_table);
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
  m_add->setEnabled(m_hasReport);
  m_remove->setEnabled(!isEmpty && m_table->currentIndex().isValid());
  if (!isEmpty) {
    pages().showPage();
  } else if (!m_hasReport) {
    showNoReport(tr("Here are the places that you want to come back to, with your notes."));
  } else {
    pages().showEmpty(tr("No bookmarks yet"),
                      tr("Ctrl+B marks what is selected. Bookmarks and notes are kept beside the "
                         "report."),
                      tr("Bookmark the selection"),
                      [this] { m_add->trigger(); });
  }
}

std::vector<Exhibit> BookmarksView::exhibits() const {
  if (context().bookmarks.all().empty()) {
    return {};
  }
  return {{.id = QStringLiteral("bookmarks"),
           .title = tr("Bookmarks"),
           .table = [bookmarks = context().bookmarks.all()] {
             report::DataTable table{.title = "Bookmarks",
                                     .columns = report::columnsOf("Bookmark; Note")};
             for (const report::Bookmark& bookmark : bookmarks) {
               table.rows.push_back({bookmark.title, bookmark.note});
             }
             return table;
           }}};
}

void registerBookmarks(ViewRegistry& registry) {
  registry.add<BookmarksView>({.id = QStringLiteral("bookmarks"),
                               .title = BookmarksView::tr("Bookmarks"),
                               .toolTip = BookmarksView::tr("Places to come back to, with notes"),
                               .icon = QStringLiteral("bookmark"),
                               .shortcut = QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_B),
                               .area = ViewArea::Bottom,
                               .order = 90,
                               .purpose = ViewPurpose::Bookmarks,
                               .shownAtStart = false});
}

}  // namespace ulp::views
