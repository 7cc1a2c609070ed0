#pragma once

#include "views/framework/tables/cell_delegate.h"

namespace ulp::views {

/// Edits an override with the choices of its key; the first takes it away.
class OverrideDelegate : public CellDelegate {
  Q_OBJECT

 public:
  using CellDelegate::CellDelegate;

  [[nodiscard]] QWidget* createEditor(QWidget* parent,
                                      const QStyleOptionViewItem& option,
                                      const QModelIndex& index) const override;
  void setEditorData(QWidget* editor, const QModelIndex& index) const override;
  void setModelData(QWidget* editor,
                    QAbstractItemModel* model,
                    const QModelIndex& index) const override;
};

}  // namespace ulp::views
