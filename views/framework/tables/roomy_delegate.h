#pragma once

#include <QtWidgets/QStyledItemDelegate>

namespace ulp::views {

/// Rows of lists and trees as high as those of tables: easy to hit, at any text size.
class RoomyDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex& index) const override;
};

}  // namespace ulp::views
