#include "views/plugins/study/variants/variants_panel.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QTimer>
#include <QtGui/QAction>
#include <QtGui/QKeyEvent>
#include <QtGui/QShortcut>
#include <QtWidgets/QAbstractItemView>
#include <QtWidgets/QCompleter>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
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

/// Tab ends it as Enter does.
class OverrideLine : public QLineEdit {
 public:
  using QLineEdit::QLineEdit;

 protected:
  bool focusNextPrevChild(bool /*next*/) override {
    Q_EMIT returnPressed();
    return true;
  }
};

/// Edits a name or an override as text, below which the choices of its key are listed. Enter, Tab
/// and a click on a choice take the text over; whoever leaves the cell otherwise leaves it as it
/// was.
class OverrideDelegate : public CellDelegate {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::OverrideDelegate)

 public:
  using CellDelegate::CellDelegate;

  [[nodiscard]] QWidget* createEditor(QWidget* parent,
                                      const QStyleOptionViewItem& /*option*/,
                                      const QModelIndex& index) const override {
    auto* line = new OverrideLine(parent);
    line->setFrame(false);
    auto* delegate = const_cast<OverrideDelegate*>(this);
    connect(line, &QLineEdit::returnPressed, this, [delegate, line] { delegate->finish(*line); });
    const auto* model = qobject_cast<const VariantsModel*>(index.model());
    const study::Key* key = model == nullptr ? nullptr : model->keyOf(index.column());
    line->setAccessibleName(key == nullptr ? tr("Name") : utf8Text(key->path));
    if (key != nullptr) {
      line->setPlaceholderText(tr("not overridden"));
    }
    if (key != nullptr && !key->choices.empty()) {
      delegate->offerChoices(*line, choiceTexts(*key));
    }
    return line;
  }
  void setEditorData(QWidget* editor, const QModelIndex& index) const override {
    // What is being typed stays when the study is checked meanwhile.
    if (!static_cast<const QLineEdit*>(editor)->isModified()) {
      CellDelegate::setEditorData(editor, index);
    }
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::FocusOut) {
      const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
      if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason) {
        Q_EMIT closeEditor(static_cast<QWidget*>(watched), RevertModelCache);
      }
      return false;
    }
    if (event->type() == QEvent::KeyPress) {
      const int key = static_cast<QKeyEvent*>(event)->key();
      const bool isTab = key == Qt::Key_Tab || key == Qt::Key_Backtab;
      if (key == Qt::Key_Return || key == Qt::Key_Enter || isTab) {
        return false;  // finish() follows, also where the list of choices has the keys
      }
    }
    return CellDelegate::eventFilter(watched, event);
  }

 private:
  void finish(QLineEdit& line) {
    if (!line.isVisible()) {
      return;  // done already: a choice was made with Enter
    }
    if (line.completer() != nullptr) {
      line.completer()->popup()->hide();
    }
    Q_EMIT commitData(&line);
    Q_EMIT closeEditor(&line);
  }

  void offerChoices(QLineEdit& line, const QStringList& choices) {
    auto* completer = new QCompleter(choices, &line);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    completer->popup()->setAccessibleName(line.accessibleName());
    line.setCompleter(completer);
    connect(completer,
            qOverload<const QString&>(&QCompleter::activated),
            this,
            [this, &line](const QString& choice) {
              line.setText(choice);
              finish(line);
            });
    // All of them, once the editor is in its place.
    QTimer::singleShot(0, completer, [completer] { completer->complete(); });
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
      tr("Double-click a cell to change it: Enter takes the text over, Escape drops it. Dim values "
         "are not overridden: they come from the study or the defaults."),
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
    if (m_isNameWanted && found >= 0 && m_model->name(found) == m_wanted) {
      m_table->edit(m_model->index(found, 0));
    }
    m_isNameWanted = false;
    m_wanted.clear();
  }
  updateButtons();
}

void VariantsPanel::finishEdits() {
  for (auto* line : m_table->findChildren<QLineEdit*>()) {
    Q_EMIT line->returnPressed();
  }
}

void VariantsPanel::setReadOnly(bool readOnly) {
  m_isReadOnly = readOnly;
  m_model->setReadOnly(readOnly);
  updateButtons();
}

void VariantsPanel::select(const QString& variant) {
  m_wanted = variant;
}

void VariantsPanel::rename(const QString& variant) {
  select(variant);
  m_isNameWanted = true;
}

}  // namespace ulp::views
