#pragma once

#include <QtCore/QAbstractTableModel>

#include "views/framework/workspace/bookmarks.h"

namespace ulp::views {

/// The bookmarks of the open report; titles and notes can be edited.
class BookmarkModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column : int { Title, Note, Key, ColumnCount };

  explicit BookmarkModel(Bookmarks& bookmarks, QObject* parent = nullptr);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section,
                                    Qt::Orientation orientation,
                                    int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 private:
  void refresh();

  Bookmarks& m_bookmarks;
  int m_rows = 0;
};

}  // namespace ulp::views
