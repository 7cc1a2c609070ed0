#include "views/plugins/bookmarks/bookmark_model.h"

#include "views/framework/tables/table_roles.h"

namespace ulp::views {
namespace {

/// Ctrl+1 … Ctrl+9.
constexpr int kKeys = 9;

}  // namespace

BookmarkModel::BookmarkModel(Bookmarks& bookmarks, QObject* parent)
    : QAbstractTableModel(parent),
      m_bookmarks(bookmarks),
      m_rows(static_cast<int>(bookmarks.all().size())) {
  connect(&bookmarks, &Bookmarks::changed, this, &BookmarkModel::refresh);
}

void BookmarkModel::refresh() {
  const int rows = static_cast<int>(m_bookmarks.all().size());
  if (rows == m_rows) {
    if (rows > 0) {
      Q_EMIT dataChanged(index(0, 0), index(rows - 1, ColumnCount - 1));
    }
    return;
  }
  beginResetModel();
  m_rows = rows;
  endResetModel();
}

int BookmarkModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : m_rows;
}

int BookmarkModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant BookmarkModel::data(const QModelIndex& index, int role) const {
  const auto row = static_cast<std::size_t>(index.row());
  if (!index.isValid() || row >= m_bookmarks.all().size()) {
    return {};
  }
  if (role == Qt::ToolTipRole && index.column() != Key) {
    return data(index, Qt::DisplayRole);
  }
  if (role == DimRole) {
    return index.column() == Key;
  }
  if (role != Qt::DisplayRole && role != Qt::EditRole && role != RawRole) {
    return {};
  }
  const report::Bookmark& bookmark = m_bookmarks.all()[row];
  switch (index.column()) {
    case Title:
      return QString::fromStdString(bookmark.title);
    case Note:
      return QString::fromStdString(bookmark.note);
    case Key:
      return index.row() < kKeys ? QStringLiteral("Ctrl+%1").arg(index.row() + 1) : QString();
    default:
      return {};
  }
}

QVariant BookmarkModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
    return {};
  }
  switch (section) {
    case Title:
      return tr("Bookmark");
    case Note:
      return tr("Note");
    case Key:
      return tr("Key");
    default:
      return {};
  }
}

Qt::ItemFlags BookmarkModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
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
