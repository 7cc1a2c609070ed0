#include "views/plugins/study/variants/variants_panel.h"

#include <QtCore/QCoreApplication>
#include <QtGui/QAction>
#include <QtGui/QKeyEvent>
#include <QtGui/QShortcut>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMenu>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>

#include "core/study/schema/schema.h"
#include "views/framework/tables/cell_delegate.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/words/utf8_text.h"
#include "views/plugins/study/form/key_names.h"

namespace ulp::views {
namespace {

/// Buttons that go on in a second line where the panel is narrow would jump; two fixed lines do
/// not.
constexpr int kButtonsInLine = 4;

/// Edits an override with the choices of its key; the first takes it away.
class OverrideDelegate : public CellDelegate {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::OverrideDelegate)

 public:
  using CellDelegate::CellDelegate;

  [[nodiscard]] QWidget* createEditor(QWidget* parent,
                                      const QStyleOptionViewItem& option,
                                      const QModelIndex& index) const override {
    const auto* model = qobject_cast<const VariantsModel*>(index.model());
    const study::Key* key = model == nullptr ? nullptr : model->keyOf(index.column());
    if (key == nullptr || key->choices.empty()) {
      return CellDelegate::createEditor(parent, option, index);
    }
    auto* box = new QComboBox(parent);
    box->setAccessibleName(utf8Text(key->path));
    box->addItem(tr("not overridden"), QString());
    for (const QString& choice : choiceTexts(*key)) {
      box->addItem(choice, choice);
    }
    connect(box, &QComboBox::activated, this, [this, box] {
      auto* delegate = const_cast<OverrideDelegate*>(this);
      Q_EMIT delegate->commitData(box);
      Q_EMIT delegate->closeEditor(box);
    });
    return box;
  }
  void setEditorData(QWidget* editor, const QModelIndex& index) const override {
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
  void setModelData(QWidget* editor,
                    QAbstractItemModel* model,
                    const QModelIndex& index) const override {
    if (const auto* box = qobject_cast<QComboBox*>(editor)) {
      model->setData(index, box->currentData(), Qt::EditRole);
    } else {
      CellDelegate::setModelData(editor, model, index);
    }
  }
};

}  // namespace

VariantsPanel::VariantsPanel(const ThemeManager& themes, QWidget* parent)
    : QWidget(parent),
      m_model(new VariantsModel(this)),
      m_table(makeTable(m_model, tr("Variants and their overrides"), themes, this)),
      m_bar(new QWidget(this)) {
  m_table->setItemDelegate(new OverrideDelegate(themes, m_table));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                           QAbstractItemView::SelectedClicked);
  auto* hint = new QLabel(
      tr("Double-click a cell to change it. Dim values are not overridden: they come from the "
         "study or the defaults."),
      this);
  hint->setForegroundRole(QPalette::PlaceholderText);
  hint->setWordWrap(true);
  hint->setContentsMargins(12, 0, 12, 8);
  columnOf(this, {m_bar, {m_table, 1}, hint}, {.margins = QMargins(0, 8, 0, 0), .spacing = 8});
  makeButtons();
  connect(m_model, &VariantsModel::renameRequested, this, &VariantsPanel::renameRequested);
  connect(m_model, &VariantsModel::overrideRequested, this, &VariantsPanel::requestOverride);
  connect(m_table->selectionModel(),
          &QItemSelectionModel::selectionChanged,
          this,
          &VariantsPanel::updateButtons);
  connect(m_model, &QAbstractItemModel::modelReset, this, &VariantsPanel::updateButtons);
  updateButtons();
}

QToolButton* VariantsPanel::addButton(const QString& text,
                                      const QString& toolTip,
                                      const std::function<void()>& clicked) {
  auto* button = new QToolButton(m_bar);
  button->setText(text);
  button->setToolTip(toolTip);
  button->setAccessibleName(toolTip);
  if (clicked) {
    connect(button, &QToolButton::clicked, this, clicked);
  }
  auto* grid = static_cast<QGridLayout*>(m_bar->layout());
  const int count = grid->count();
  grid->addWidget(button, count / kButtonsInLine, count % kButtonsInLine, Qt::AlignLeft);
  return button;
}

void VariantsPanel::makeButtons() {
  auto* grid = new QGridLayout(m_bar);
  grid->setContentsMargins(8, 0, 8, 0);
  grid->setSpacing(4);
  grid->setColumnStretch(kButtonsInLine, 1);
  const auto current = [this] { return m_model->name(currentRow()); };
  m_add = addButton(tr("Add"), tr("Add a variant"), [this] { Q_EMIT addRequested(); });
  m_duplicate = addButton(tr("Duplicate"),
                          tr("Add a copy of the selected variant"),
                          [this, current] { Q_EMIT duplicateRequested(current()); });
  m_rename = addButton(tr("Rename"), tr("Rename the selected variant"), [this] {
    m_table->edit(m_model->index(currentRow(), 0));
  });
  m_remove = addButton(tr("Delete"), tr("Delete the selected variant"), [this, current] {
    Q_EMIT removeRequested(current());
  });
  m_up = addButton(tr("Move up"), tr("Run the selected variant earlier"), [this, current] {
    Q_EMIT moveRequested(current(), currentRow() - 2);
  });
  m_down = addButton(tr("Move down"), tr("Run the selected variant later"), [this, current] {
    Q_EMIT moveRequested(current(), currentRow());
  });
  m_override = addButton(tr("Override"), tr("Override a key in the selected run"));
  m_grid = addButton(tr("Grid…"), tr("Make variants of all combinations of values"), [this] {
    Q_EMIT gridRequested();
  });
  m_override->setPopupMode(QToolButton::InstantPopup);
  m_override->setMenu(new QMenu(m_override));
  fillOverrideMenu();
  auto* remove = new QShortcut(QKeySequence::Delete, m_table, nullptr, nullptr, Qt::WidgetShortcut);
  connect(remove, &QShortcut::activated, m_remove, &QToolButton::click);
}

void VariantsPanel::fillOverrideMenu() {
  for (const study::Key& key : study::schemaKeys()) {
    if (key.scope != study::KeyScope::Run) {
      continue;
    }
    const QString path = utf8Text(key.path);
    QMenu* values = m_override->menu()->addMenu(path);
    for (const QString& value : choiceTexts(key)) {
      values->addAction(
          value, this, [this, path, value] { requestOverride(currentRow(), path, value); });
    }
  }
}

void VariantsPanel::requestOverride(int row, const QString& key, const QString& value) {
  Q_EMIT overrideRequested(row == 0 ? QString() : m_model->name(row), key, value);
}

int VariantsPanel::currentRow() const {
  return m_table->selectionModel()->hasSelection() ? m_table->currentIndex().row() : -1;
}

void VariantsPanel::updateButtons() {
  const bool writable = !m_isReadOnly && m_isYaml;
  const int row = currentRow();
  const bool isVariant = writable && row > 0;
  m_add->setEnabled(writable);
  m_grid->setEnabled(writable);
  m_duplicate->setEnabled(isVariant);
  m_rename->setEnabled(isVariant);
  m_remove->setEnabled(isVariant);
  m_up->setEnabled(isVariant && row > 1);
  m_down->setEnabled(isVariant && row + 1 < m_model->rowCount());
  m_override->setEnabled(writable && row >= 0);
}

void VariantsPanel::show(const study::YamlNode* tree, const study::EffectiveTable& effective) {
  m_isYaml = tree != nullptr;
  if (tree != nullptr) {
    const int row = currentRow();
    const QString kept = !m_wanted.isEmpty() ? m_wanted : row < 0 ? QString() : m_model->name(row);
    m_model->setContent(variantRows(*tree), effective);
    fitColumns(*m_table, 24);
    int found = std::min(row, m_model->rowCount() - 1);
    for (int i = 0; i < m_model->rowCount(); ++i) {
      found = m_model->name(i) == kept ? i : found;
    }
    if (found >= 0 && found < m_model->rowCount()) {
      m_table->selectRow(found);
    }
    m_wanted.clear();
  }
  updateButtons();
}

void VariantsPanel::setReadOnly(bool readOnly) {
  m_isReadOnly = readOnly;
  m_model->setReadOnly(readOnly);
  updateButtons();
}

void VariantsPanel::select(const QString& variant) {
  m_wanted = variant;
}

}  // namespace ulp::views
