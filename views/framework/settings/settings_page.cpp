#include "views/framework/settings/settings_page.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QSpinBox>
#include <QtWidgets/QVBoxLayout>

namespace ulp::views {

SettingsPage::SettingsPage(const SettingsCatalog& catalog,
                           const QString& page,
                           SettingsStore& store,
                           QWidget* parent)
    : QWidget(parent), m_store(store), m_layout(new QVBoxLayout(this)) {
  m_layout->setContentsMargins(16, 16, 16, 16);
  m_layout->setSpacing(12);
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
  m_rows.push_back({.setting = {},
                    .block = widget,
                    .control = nullptr,
                    .words = words,
                    .reset = std::move(reset)});
}

void SettingsPage::addRow(const DeclaredSetting& setting) {
  auto* block = new QWidget(this);
  auto* layout = new QVBoxLayout(block);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  QWidget* control = makeControl(setting, block);
  control->setAccessibleName(setting.info.title);
  control->setAccessibleDescription(setting.info.help);
  if (qobject_cast<QCheckBox*>(control) != nullptr) {
    layout->addWidget(control);
  } else {
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    auto* label = new QLabel(setting.info.title, block);
    label->setBuddy(control);
    line->addWidget(label);
    line->addStretch(1);
    line->addWidget(control);
    layout->addLayout(line);
  }
  auto* help = new QLabel(setting.info.help, block);
  help->setForegroundRole(QPalette::PlaceholderText);
  help->setWordWrap(true);
  layout->addWidget(help);
  m_layout->addWidget(block);
  m_rows.push_back({.setting = setting,
                    .block = block,
                    .control = control,
                    .words = setting.info.title + u' ' + setting.info.help,
                    .reset = [this, key = setting.key] { m_store.remove(key); }});
  show(m_rows.back());
}

QWidget* SettingsPage::makeControl(const DeclaredSetting& setting, QWidget* parent) {
  const QString key = setting.key;
  if (!setting.info.choices.empty()) {
    auto* box = new QComboBox(parent);
    for (const SettingChoice& choice : setting.info.choices) {
      box->addItem(choice.text, choice.value);
    }
    connect(box, &QComboBox::activated, this, [this, box, key] {
      m_store.setValue(key, box->currentData());
    });
    return box;
  }
  if (setting.defaultValue.metaType() == QMetaType::fromType<bool>()) {
    auto* box = new QCheckBox(setting.info.title, parent);
    connect(box, &QCheckBox::toggled, this, [this, key](bool on) { m_store.setValue(key, on); });
    return box;
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
    return box;
  }
  auto* edit = new QLineEdit(parent);
  connect(edit, &QLineEdit::editingFinished, this, [this, edit, key] {
    m_store.setValue(key, edit->text());
  });
  return edit;
}

void SettingsPage::show(const Row& row) {
  if (row.control == nullptr) {
    return;
  }
  const QSignalBlocker silent(row.control);
  const DeclaredSetting& setting = row.setting;
  const QVariant value = validValue(setting, m_store.value(setting.key, setting.defaultValue));
  if (auto* list = qobject_cast<QComboBox*>(row.control)) {
    list->setCurrentIndex(list->findData(value));
  } else if (auto* check = qobject_cast<QCheckBox*>(row.control)) {
    check->setChecked(value.toBool());
  } else if (auto* number = qobject_cast<QSpinBox*>(row.control)) {
    number->setValue(value.toInt());
  } else if (auto* text = qobject_cast<QLineEdit*>(row.control)) {
    text->setText(value.toString());
  }
}

int SettingsPage::filter(const QString& query) {
  const QStringList words = query.simplified().split(u' ', Qt::SkipEmptyParts);
  int remaining = 0;
  for (const Row& row : m_rows) {
    const bool found = std::all_of(words.begin(), words.end(), [&](const QString& word) {
      return row.words.contains(word, Qt::CaseInsensitive);
    });
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
