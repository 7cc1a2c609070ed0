#include "views/framework/settings/settings_dialog.h"

#include <QtCore/QDir>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QStackedWidget>

#include "views/framework/settings/settings_page.h"
#include "views/framework/tables/cell_delegate.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/search_line.h"

namespace ulp::views {

SettingsDialog::SettingsDialog(const SettingsCatalog& catalog,
                               SettingsStore& store,
                               QWidget* parent)
    : QDialog(parent),
      m_store(store),
      m_filter(makeSearchLine(tr("Search settings"), this)),
      m_list(new QListWidget(this)),
      m_stack(new QStackedWidget(this)),
      m_nothing(new QLabel(tr("No setting is called that."), this)) {
  setObjectName(QStringLiteral("settings"));
  setWindowTitle(tr("Settings"));
  m_list->setAccessibleName(tr("Pages"));
  m_list->setItemDelegate(new RoomyDelegate(m_list));
  for (const QString& title : catalog.pages()) {
    auto* scroll = new QScrollArea(m_stack);
    auto* page = new SettingsPage(catalog, title, store, scroll);
    scroll->setAccessibleName(title);
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    m_stack->addWidget(scroll);
    m_list->addItem(title);
    m_pages.push_back(page);
  }
  connect(m_list, &QListWidget::currentRowChanged, m_stack, &QStackedWidget::setCurrentIndex);
  connect(m_filter, &QLineEdit::textChanged, this, &SettingsDialog::search);
  m_list->setCurrentRow(0);
  makeLayout();
  search({});
}

void SettingsDialog::makeLayout() {
  m_list->setFixedWidth(m_list->sizeHintForColumn(0) + fontMetrics().averageCharWidth() * 4);
  const QString file = QDir::toNativeSeparators(m_store.fileName());
  auto* path = new QLabel(tr("Kept in %1").arg(file), this);
  path->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  path->setAccessibleName(path->text());
  path->setForegroundRole(QPalette::PlaceholderText);
  path->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  auto* reset = buttons->addButton(tr("&Reset this page"), QDialogButtonBox::ResetRole);
  // Return in the search line must not close the window.
  reset->setAutoDefault(false);
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
  reset->setToolTip(tr("All settings of this page back to their defaults"));
  connect(reset, &QPushButton::clicked, this, &SettingsDialog::resetPage);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* body = rowOf(nullptr, {m_list, {m_stack, 1}}, {.spacing = 12});
  columnOf(this,
           {m_filter, m_nothing, {body, 1}, path, buttons},
           {.margins = QMargins(16, 16, 16, 16), .spacing = 8});
  resize(fontMetrics().averageCharWidth() * 110, fontMetrics().height() * 36);
}

SettingsPage* SettingsDialog::page(const QString& title) const {
  const QList<QListWidgetItem*> found = m_list->findItems(title, Qt::MatchExactly);
  return found.isEmpty() ? nullptr : m_pages[static_cast<std::size_t>(m_list->row(found.front()))];
}

void SettingsDialog::search(const QString& query) {
  int first = -1;
  for (std::size_t i = 0; i < m_pages.size(); ++i) {
    const auto row = static_cast<int>(i);
    const bool found = m_pages[i]->filter(query) > 0;
    m_list->item(row)->setHidden(!found);
    first = first < 0 && found ? row : first;
  }
  m_nothing->setVisible(first < 0);
  m_stack->setVisible(first >= 0);
  const int current = m_list->currentRow();
  if (first >= 0 && (current < 0 || m_list->item(current)->isHidden())) {
    m_list->setCurrentRow(first);
  }
}

void SettingsDialog::resetPage() {
  const int row = m_list->currentRow();
  if (row >= 0) {
    m_pages[static_cast<std::size_t>(row)]->reset();
  }
}

}  // namespace ulp::views
