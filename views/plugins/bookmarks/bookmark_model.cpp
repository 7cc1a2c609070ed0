#include "views/plugins/bookmarks/bookmark_model.h"

namespace ulp::views {
namespace {

/// Ctrl+1 … Ctrl+9.
constexpr std::size_t kKeys = 9;

Column<BookmarkRow> editableColumn(const QString& title, QString BookmarkRow::*text) {
  Column<BookmarkRow> column{.title = title, .roles = textRoles<BookmarkRow>(text)};
  column.roles[Qt::EditRole] = text;
  return column;
}

}  // namespace

BookmarkModel::BookmarkModel(Bookmarks& bookmarks, QObject* parent)
    : RowTableModel(parent), m_bookmarks(bookmarks) {
  setContent({editableColumn(tr("Bookmark"), &BookmarkRow::title),
              editableColumn(tr("Note"), &BookmarkRow::note),
              {.title = tr("Key"),
               .roles = {{Qt::DisplayRole, &BookmarkRow::key},
                         {DimRole, [](const BookmarkRow&) { return true; }}}}},
             nullptr);
  connect(&bookmarks, &Bookmarks::changed, this, &BookmarkModel::refresh);
  refresh();
}

void BookmarkModel::refresh() {
  auto rows = std::make_shared<std::vector<BookmarkRow>>();
  for (const report::Bookmark& bookmark : m_bookmarks.all()) {
    const std::size_t number = rows->size() + 1;
    rows->push_back({QString::fromStdString(bookmark.title),
                     QString::fromStdString(bookmark.note),
                     number <= kKeys ? QStringLiteral("Ctrl+%1").arg(number) : QString()});
  }
  setRows(std::move(rows));
}

Qt::ItemFlags BookmarkModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags flags = RowTableModel::flags(index);
  return !index.isValid() || index.column() == Key ? flags : flags | Qt::ItemIsEditable;
}

bool BookmarkModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::EditRole || index.column() == Key) {
    return false;
  }
  const auto row = static_cast<std::size_t>(index.row());
  if (index.column() == Title) {
    m_bookmarks.setTitle(row, value.toString());
  } else {
    m_bookmarks.setNote(row, value.toString());
  }
  return true;
}

}  // namespace ulp::views
