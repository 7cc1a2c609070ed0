#include "views/plugins/study/variants/override_delegate.h"

#include <QtWidgets/QComboBox>

#include "core/study/schema/schema.h"
#include "views/framework/words/utf8_text.h"
#include "views/plugins/study/variants/variants_model.h"

namespace ulp::views {

QWidget* OverrideDelegate::createEditor(QWidget* parent,
                                        const QStyleOptionViewItem& option,
                                        const QModelIndex& index) const {
  const auto* model = qobject_cast<const VariantsModel*>(index.model());
  const study::Key* key = model == nullptr ? nullptr : study::findKey(model->keyOf(index.column()));
  if (key == nullptr || key->choices.empty()) {
    return CellDelegate::createEditor(parent, option, index);
  }
  auto* box = new QComboBox(parent);
  box->setAccessibleName(utf8Text(key->path));
  box->addItem(tr("not overridden"), QString());
  for (const std::string_view choice : key->choices) {
    const QString text = utf8Text(choice);
    box->addItem(text, text);
  }
  connect(box, &QComboBox::activated, this, [this, box] {
    auto* delegate = const_cast<OverrideDelegate*>(this);
    Q_EMIT delegate->commitData(box);
    Q_EMIT delegate->closeEditor(box);
  });
  return box;
}

void OverrideDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
  auto* box = qobject_cast<QComboBox*>(editor);
  if (box == nullptr) {
    CellDelegate::setEditorData(editor, index);
    return;
  }
  const QString value = index.data(Qt::EditRole).toString();
  if (box->findData(value) < 0) {
    box->addItem(value, value);
  }
  box->setCurrentIndex(box->findData(value));
}

void OverrideDelegate::setModelData(QWidget* editor,
                                    QAbstractItemModel* model,
                                    const QModelIndex& index) const {
  if (const auto* box = qobject_cast<QComboBox*>(editor)) {
    model->setData(index, box->currentData(), Qt::EditRole);
  } else {
    CellDelegate::setModelData(editor, model, index);
  }
}

}  // namespace ulp::views
