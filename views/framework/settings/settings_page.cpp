#include "views/framework/settings/settings_page.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QSpinBox>

#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/search_line.h"

namespace ulp::views {

SettingsPage::SettingsPage(const SettingsCatalog& catalog,
                           const QString& page,
                           SettingsStore& store,
                           QWidget* parent)
    : QWidget(parent),
      m_store(store),
      m_layout(columnOf(this, {}, {.margins = QMargins(16, 16, 16, 16), .spacing = 12})) {
  for (const DeclaredSetting& setting : catalog.all()) {
    if (setting.info.page == page) {
      addRow(setting);
    }
  }
  m_layout->addStretch(1);
  connect(&m_store, &SettingsStore::changed, this, [this](const QString& key) {
    for (const Row& row : m_rows) {
      if (row.setting.key == key) {
        show(row);
      }
    }
  });
}

void SettingsPage::append(QWidget* widget, const QString& words, std::function<void()> reset) {
  // It takes the room that the stretch behind the rows held.
  const std::unique_ptr<QLayoutItem> stretch(m_layout->takeAt(m_layout->count() - 1));
  m_layout->addWidget(widget, 1);
  m_rows.push_back({.block = widget, .words = words, .reset = std::move(reset)});
}

void SettingsPage::addRow(const DeclaredSetting& setting) {
  auto* block = new QWidget(this);
  auto* layout = columnOf(block, {}, {.margins = QMargins(), .spacing = 4});
  const Control made = makeControl(setting, block);
  QWidget* control = made.widget;
  control->setAccessibleName(setting.info.title);
  control->setAccessibleDescription(setting.info.help);
  if (qobject_cast<QCheckBox*>(control) != nullptr) {
    layout->addWidget(control);
  } else {
    auto* label = new QLabel(setting.info.title, block);
    label->setBuddy(control);
    layout->addLayout(rowOf(nullptr, {label, BoxItem::stretch(), control}, {.spacing = 8}));
  }
  auto* help = new QLabel(setting.info.help, block);
  help->setForegroundRole(QPalette::PlaceholderText);
  help->setWordWrap(true);
  layout->addWidget(help);
  m_layout->addWidget(block);
  m_rows.push_back({.setting = setting,
                    .block = block,
                    .control = made,
                    .words = setting.info.title + u' ' + setting.info.help,
                    .reset = [this, key = setting.key] { m_store.remove(key); }});
  show(m_rows.back());
}

SettingsPage::Control SettingsPage::makeControl(const DeclaredSetting& setting, QWidget* parent) {
  const QString key = setting.key;
  if (!setting.info.choices.empty()) {
    auto* box = new QComboBox(parent);
    for (const SettingChoice& choice : setting.info.choices) {
      box->addItem(choice.text, choice.value);
    }
    connect(box, &QComboBox::activated, this, [this, box, key] {
      m_store.setValue(key, box->currentData());
    });
    return {box, [box](const QVariant& value) { box->setCurrentIndex(box->findData(value)); }};
  }
  if (setting.defaultValue.metaType() == QMetaType::fromType<bool>()) {
    auto* box = new QCheckBox(setting.info.title, parent);
    connect(box, &QCheckBox::toggled, this, [this, key](bool on) { m_store.setValue(key, on); });
    return {box, [box](const QVariant& value) { box->setChecked(value.toBool()); }};
  }
  if (setting.info.range) {
    auto* box = new QSpinBox(parent);
    box->setRange(setting.info.range->low, setting.info.range->high);
    box->setSingleStep(setting.info.range->step);
    box->setSuffix(setting.info.range->suffix);
    // Half a number typed is not yet what the user wants.
    box->setKeyboardTracking(false);
    connect(box, &QSpinBox::valueChanged, this, [this, key](int value) {
      m_store.setValue(key, value);
    });
    return {box, [box](const QVariant& value) { box->setValue(value.toInt()); }};
  }
  auto* edit = new QLineEdit(parent);
  connect(edit, &QLineEdit::editingFinished, this, [this, edit, key] {
    m_store.setValue(key, edit->text());
  });
  return {edit, [edit](const QVariant& value) { edit->setText(value.toString()); }};
}

void SettingsPage::show(const Row& row) {
  if (row.control.widget != nullptr) {
    const QSignalBlocker silent(row.control.widget);
    const DeclaredSetting& setting = row.setting;
    row.control.show(validValue(setting, m_store.value(setting.key, setting.defaultValue)));
  }
}

int SettingsPage::filter(const QString& query) {
  int remaining = 0;
  for (const Row& row : m_rows) {
    const bool found = containsWords(row.words, query);
    row.block->setVisible(found);
    remaining += found ? 1 : 0;
  }
  return remaining;
}

void SettingsPage::reset() {
  for (const Row& row : m_rows) {
    row.reset();
  }
}

}  // namespace ulp::views
