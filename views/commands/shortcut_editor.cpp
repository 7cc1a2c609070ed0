#include "views/commands/shortcut_editor.h"

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QKeySequenceEdit>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTreeWidget>

#include "core/base/files/atomic_file.h"
#include "views/commands/shortcut_scheme.h"
#include "views/commands/shortcut_sheet.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/file_dialog.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/search_line.h"

namespace ulp::views {
namespace {

constexpr int kIdRole = Qt::UserRole;
constexpr std::size_t kFileLimitBytes = std::size_t{1} << 20;

}  // namespace

ShortcutEditor::ShortcutEditor(ShortcutScheme& scheme, Background& background, QWidget* parent)
    : QWidget(parent),
      m_scheme(scheme),
      m_background(background),
      m_filter(makeSearchLine(tr("Search for a command or a key"), this)),
      m_tree(makeCommandTree(this)),
      m_keys(new QKeySequenceEdit(this)),
      m_assign(new QPushButton(tr("&Assign"), this)),
      m_clear(new QPushButton(tr("No &keys"), this)),
      m_reset(new QPushButton(tr("&Default"), this)),
      m_resetAll(new QPushButton(tr("All to de&faults"), this)),
      m_verdict(new QLabel(this)) {
  m_tree->setAccessibleName(tr("Commands and their keys"));
  m_tree->setUniformRowHeights(true);
  m_keys->setAccessibleName(tr("New keys"));
  m_verdict->setAccessibleName(tr("Who has these keys"));
  m_verdict->setWordWrap(true);
  makeLayout();
  connect(m_filter, &QLineEdit::textChanged, this, &ShortcutEditor::refill);
  connect(m_tree, &QTreeWidget::currentItemChanged, this, &ShortcutEditor::showCurrent);
  connect(m_keys, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutEditor::judge);
  connect(m_assign, &QPushButton::clicked, this, [this] {
    m_scheme.assign(currentId(), {m_keys->keySequence()});
  });
  connect(m_clear, &QPushButton::clicked, this, [this] { m_scheme.assign(currentId(), {}); });
  connect(m_reset, &QPushButton::clicked, this, [this] { m_scheme.reset(currentId()); });
  connect(m_resetAll, &QPushButton::clicked, &m_scheme, &ShortcutScheme::resetAll);
  connect(&m_scheme, &ShortcutScheme::changed, this, &ShortcutEditor::refill);
  refill();
}

void ShortcutEditor::makeLayout() {
  auto* import = new QPushButton(tr("&Import…"), this);
  auto* exported = new QPushButton(tr("&Export…"), this);
  connect(import, &QPushButton::clicked, this, &ShortcutEditor::importFile);
  connect(exported, &QPushButton::clicked, this, &ShortcutEditor::exportFile);
  auto* keyLabel = new QLabel(tr("&New keys:"), this);
  keyLabel->setBuddy(m_keys);
  for (QPushButton* button : {m_assign, m_clear, m_reset, m_resetAll, import, exported}) {
    button->setAutoDefault(false);
  }
  const BoxShape shape{.margins = QMargins(), .spacing = 8};
  auto* keys = rowOf(nullptr, {keyLabel, {m_keys, 1}, m_assign, m_clear, m_reset}, shape);
  auto* files = rowOf(nullptr, {m_resetAll, BoxItem::stretch(), import, exported}, shape);
  columnOf(this, {m_filter, {m_tree, 1}, keys, m_verdict, files}, shape);
  m_tree->setMinimumHeight(fontMetrics().height() * 10);
}

QString ShortcutEditor::currentId() const {
  const QTreeWidgetItem* item = m_tree->currentItem();
  return item == nullptr ? QString() : item->data(0, kIdRole).toString();
}

void ShortcutEditor::refill() {
  const QString current = currentId();
  const QString query = m_filter->text();
  {
    const QSignalBlocker silent(m_tree);
    m_tree->clear();
    for (const ShortcutScheme::Row& row : m_scheme.rows()) {
      const QString name = QStringLiteral("%1: %2").arg(row.group, row.text);
      const QString keys = keysText(row.keys);
      if (!name.contains(query, Qt::CaseInsensitive) &&
          !keys.contains(query, Qt::CaseInsensitive)) {
        continue;
      }
      auto* item = new QTreeWidgetItem(m_tree, {name, keys});
      item->setData(0, kIdRole, row.id);
      if (row.isChanged()) {
        QFont font = m_tree->font();
        font.setBold(true);
        item->setFont(1, font);
        item->setToolTip(1, tr("By default: %1").arg(keysText(row.defaults)));
      }
      if (row.id == current) {
        m_tree->setCurrentItem(item);
      }
    }
  }
  showCurrent();
}

void ShortcutEditor::showCurrent() {
  const ShortcutScheme::Row* row = m_scheme.find(currentId());
  const QSignalBlocker silent(m_keys);
  m_keys->clear();
  m_verdict->clear();
  m_keys->setEnabled(row != nullptr);
  m_assign->setEnabled(false);
  m_clear->setEnabled(row != nullptr && !row->keys.isEmpty());
  m_reset->setEnabled(row != nullptr && row->isChanged());
}

void ShortcutEditor::judge() {
  const QKeySequence keys = m_keys->keySequence();
  QStringList owners;
  for (const ShortcutScheme::Row* other : m_scheme.conflicts(currentId(), {keys})) {
    owners << QStringLiteral("%1: %2").arg(other->group, other->text);
  }
  m_verdict->setText(
      owners.isEmpty()
          ? QString()
          : tr("%1 belongs to “%2”. Choose other keys, or take them from there first.")
                .arg(keys.toString(QKeySequence::NativeText), owners.join(QStringLiteral("”, “"))));
  m_assign->setEnabled(!keys.isEmpty() && owners.isEmpty());
}

void ShortcutEditor::importFile() {
  askForFile(this,
             {.title = tr("Import shortcuts"), .filters = {tr("Shortcuts (*.json)")}},
             [this](const QString& path) { readFile(path); });
}

void ShortcutEditor::exportFile() {
  askForFile(this,
             {.title = tr("Export shortcuts"),
              .wanted = FileWanted::New,
              .filters = {tr("Shortcuts (*.json)")},
              .suggested = QStringLiteral("ulpscope-shortcuts.json"),
              .suffix = QStringLiteral("json")},
             [this](const QString& path) { writeFile(path); });
}

void ShortcutEditor::readFile(const QString& path) {
  m_background.run<Result<std::string>>(
      QStringLiteral("shortcuts-import"),
      this,
      [file = path.toStdString()](const std::stop_token&) {
        return readTextFile(file, kFileLimitBytes);
      },
      [this, path](const Result<std::string>& text) {
        if (!text) {
          m_verdict->setText(QString::fromStdString(text.error().message()));
          return;
        }
        const Result<> done = m_scheme.import(QByteArray::fromStdString(*text));
        m_verdict->setText(done ? tr("Imported from %1.").arg(path)
                                : QStringLiteral("%1: %2").arg(
                                      path, QString::fromStdString(done.error().message())));
      });
}

void ShortcutEditor::writeFile(const QString& path) {
  m_background.save<Result<>>(
      QStringLiteral("shortcuts-export/") + path,
      this,
      [file = path.toStdString(), scheme = m_scheme.exported().toStdString()] {
        return writeFileAtomically(file, scheme, LinkPolicy::Follow);
      },
      [this, path](const Result<>& done) {
        m_verdict->setText(done ? tr("Exported to %1.").arg(path)
                                : QString::fromStdString(done.error().message()));
      });
}

}  // namespace ulp::views
