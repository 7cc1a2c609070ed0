#pragma once

#include <QtCore/QCoreApplication>

#include "views/framework/tables/row_table_model.h"
#include "views/framework/workspace/bookmarks.h"

namespace ulp::views {

/// A bookmark as the table shows it.
struct BookmarkRow {
  QString title;
  QString note;
  QString key;  ///< that goes to it; empty: none
};

/// The bookmarks of the open report; titles and notes can be edited.
class BookmarkModel : public RowTableModel<BookmarkRow> {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::BookmarkModel)

 public:
  enum ColumnId : int { Title, Note, Key };

  explicit BookmarkModel(Bookmarks& bookmarks, QObject* parent = nullptr);

  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 private:
  void refresh();

  Bookmarks& m_bookmarks;
};

}  // namespace ulp::views
