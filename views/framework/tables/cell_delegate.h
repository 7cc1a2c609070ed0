#pragma once

#include <QtWidgets/QStyledItemDelegate>

#include "views/framework/look/theme_manager.h"

namespace ulp::views {

/// Pixels between the sides of a cell, or of a column's heading, and what stands in it.
inline constexpr int kCellPadding = 6;

/// Paints the roles of table_roles.h in the colours of the theme: variant samples, severity glyphs,
/// dim and emphasised cells. Numbers (right-aligned cells) are set in the fixed-width font. Text
/// has one line, in which control characters and marks of direction stand as codes, and stays in
/// the part of the cell that can be seen. Where there is no room a number asks for it, and text is
/// shortened (elidedText(), or as the view says).
class CellDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  explicit CellDelegate(const ThemeManager& themes, QObject* parent = nullptr);

  void paint(QPainter* painter,
             const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex& index) const override;
  [[nodiscard]] QString displayText(const QVariant& value, const QLocale& locale) const override;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

 private:
  void paintText(QPainter& painter,
                 const QStyleOptionViewItem& cell,
                 const QModelIndex& index,
                 const QRect& room) const;
  /// Where the cell's own width is too small for its number.
  void askForRoom(const QStyleOptionViewItem& cell, const QModelIndex& index, int room) const;
  [[nodiscard]] QString fitting(const QStyleOptionViewItem& cell,
                                const QModelIndex& index,
                                int room) const;

  const ThemeManager& m_themes;
};

/// Rows of lists and trees as high as those of tables: easy to hit, at any text size.
class RoomyDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex& index) const override;
};

}  // namespace ulp::views
