#include "views/plugins/study/variants/variants_panel.h"

#include <QtGui/QAction>
#include <QtGui/QKeyEvent>
#include <QtGui/QShortcut>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMenu>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QVBoxLayout>

#include "core/study/schema/schema.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/words/utf8_text.h"
#include "views/plugins/study/form/form_field.h"
#include "views/plugins/study/variants/override_delegate.h"

namespace ulp::views {
namespace {

/// Buttons that go on in a second line where the panel is narrow would jump; two fixed lines do
/// not.
constexpr int kButtonsInLine = 4;

}  // namespace

VariantsPanel::VariantsPanel(const ThemeManager& themes, QWidget* parent)
    : QWidget(parent),
      m_model(new VariantsModel(this)),
      m_table(new QuietTableView(this)),
      m_bar(new QWidget(this)) {
  setUpTable(*m_table, themes);
  m_table->setModel(m_model);
  m_table->setItemDelegate(new OverrideDelegate(themes, m_table));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                           QAbstractItemView::SelectedClicked);
  m_table->setAccessibleName(tr("Variants and their overrides"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 8, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(m_bar);
  layout->addWidget(m_table, 1);
  auto* hint = new QLabel(
      tr("Double-click a cell to change it. Dim values are not overridden: they come from the "
         "study or the defaults."),
      this);
  hint->setForegroundRole(QPalette::PlaceholderText);
  hint->setWordWrap(true);
  hint->setContentsMargins(12, 0, 12, 8);
  layout->addWidget(hint);
  makeButtons();
  connect(m_model, &VariantsModel::renameRequested, this, &VariantsPanel::renameRequested);
  connect(m_model,
          &VariantsModel::overrideRequested,
          this,
          [this](int row, const QString& key, const QString& value) {
            Q_EMIT overrideRequested(row == 0 ? QString() : m_model->name(row), key, value);
          });
  connect(m_table->selectionModel(),
          &QItemSelectionModel::selectionChanged,
          this,
          &VariantsPanel::updateButtons);
  connect(m_model, &QAbstractItemModel::modelReset, this, &VariantsPanel::updateButtons);
  updateButtons();
}

QToolButton* VariantsPanel::addButton(const QString& text, const QString& toolTip) {
  auto* button = new QToolButton(m_bar);
  button->setText(text);
  button->setToolTip(toolTip);
  button->setAccessibleName(toolTip);
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
  m_add = addButton(tr("Add"), tr("Add a variant"));
  m_duplicate = addButton(tr("Duplicate"), tr("Add a copy of the selected variant"));
  m_rename = addButton(tr("Rename"), tr("Rename the selected variant"));
  m_remove = addButton(tr("Delete"), tr("Delete the selected variant"));
  m_up = addButton(tr("Move up"), tr("Run the selected variant earlier"));
  m_down = addButton(tr("Move down"), tr("Run the selected variant later"));
  m_override = addButton(tr("Override"), tr("Override a key in the selected run"));
  m_grid = addButton(tr("Grid…"), tr("Make variants of all combinations of values"));
  m_override->setPopupMode(QToolButton::InstantPopup);
  m_override->setMenu(new QMenu(m_override));
  fillOverrideMenu();
  const auto current = [this] { return m_model->name(currentRow()); };
  connect(m_add, &QToolButton::clicked, this, &VariantsPanel::addRequested);
  connect(m_grid, &QToolButton::clicked, this, &VariantsPanel::gridRequested);
  connect(m_duplicate, &QToolButton::clicked, this, [this, current] {
    Q_EMIT duplicateRequested(current());
  });
  connect(m_remove, &QToolButton::clicked, this, [this, current] {
    Q_EMIT removeRequested(current());
  });
  connect(m_rename, &QToolButton::clicked, this, [this] {
    m_table->edit(m_model->index(currentRow(), 0));
  });
  connect(m_up, &QToolButton::clicked, this, [this, current] {
    Q_EMIT moveRequested(current(), currentRow() - 2);
  });
  connect(m_down, &QToolButton::clicked, this, [this, current] {
    Q_EMIT moveRequested(current(), currentRow());
  });
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
    for (const std::string_view choice : key.choices) {
      const QString value = utf8Text(choice);
      values->addAction(value, this, [this, path, value] {
        const int row = currentRow();
        Q_EMIT overrideRequested(row == 0 ? QString() : m_model->name(row), path, value);
      });
    }
  }
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
