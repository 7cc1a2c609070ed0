#pragma once

#include <QtWidgets/QStyledItemDelegate>

namespace ulp::views {

/// Paints a row of a palette: the text with its matched letters set off in weight and underline,
/// the detail at the right.
class PaletteDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter,
             const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex& index) const override;
};

}  // namespace ulp::views
