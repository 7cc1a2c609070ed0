#include "views/commands/shortcut_scheme.h"

#include <algorithm>
#include <utility>

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

#include "views/framework/settings/settings_store.h"

namespace ulp::views {
namespace {

const Setting<QByteArray> kSchemeSetting{QStringLiteral("keyboard/shortcuts"), {}};
const QString kSchemeFormat = QStringLiteral("ulpscope.shortcuts/1");

bool shareKeys(const QList<QKeySequence>& a, const QList<QKeySequence>& b) {
  return std::ranges::any_of(a, [&](const QKeySequence& key) {
    return !key.isEmpty() && std::ranges::any_of(b, [&](const QKeySequence& other) {
      // A sequence that another one begins with would never be reached, or never end.
      return key.matches(other) != QKeySequence::NoMatch ||
             other.matches(key) != QKeySequence::NoMatch;
    });
  });
}

bool canMeet(const QString& scope, const QString& other) {
  return scope.isEmpty() || other.isEmpty() || scope == other;
}

}  // namespace

ShortcutScheme::ShortcutScheme(SettingsStore& settings, QObject* parent)
    : QObject(parent), m_settings(settings) {
  if (Result<Changes> changes = parse(m_settings.get(kSchemeSetting))) {
    m_changes = std::move(*changes);
  }
}

ShortcutScheme::Row* ShortcutScheme::rowOf(const QString& id) {
  const auto found = std::ranges::find(m_rows, id, &Row::id);
  return found == m_rows.end() ? nullptr : &*found;
}

const ShortcutScheme::Row* ShortcutScheme::find(const QString& id) const {
  const auto found = std::ranges::find(m_rows, id, &Row::id);
  return found == m_rows.end() ? nullptr : &*found;
}

void ShortcutScheme::adopt(const std::vector<CatalogEntry>& entries) {
  for (const CatalogEntry& entry : entries) {
    Row* row = rowOf(entry.id);
    if (row == nullptr) {
      const QList<QKeySequence> keys = entry.action->shortcuts();
      m_rows.push_back({.id = entry.id,
                        .group = entry.group,
                        .text = entry.text,
                        .scope = entry.scope,
                        .keys = keys,
                        .defaults = keys});
      row = &m_rows.back();
      if (const auto changed = m_changes.find(entry.id); changed != m_changes.end()) {
        row->keys = changed->second;
      }
    }
    row->actions.removeIf([](const QPointer<QAction>& action) { return action.isNull(); });
    if (!row->actions.contains(entry.action)) {
      row->actions << entry.action;
      if (row->isChanged()) {
        apply(*row, row->keys);
      }
    }
  }
  Q_EMIT changed();
}

std::vector<const ShortcutScheme::Row*> ShortcutScheme::conflicts(
    const QString& id, const QList<QKeySequence>& keys) const {
  const Row* own = find(id);
  std::vector<const Row*> found;
  for (const Row& row : m_rows) {
    if (own != nullptr && row.id != id && canMeet(row.scope, own->scope) &&
        shareKeys(keys, row.keys)) {
      found.push_back(&row);
    }
  }
  return found;
}

void ShortcutScheme::apply(const Row& row, const QList<QKeySequence>& keys) {
  for (const QPointer<QAction>& action : row.actions) {
    if (action.isNull()) {
      continue;
    }
    action->setShortcuts(keys);
    if (!action->statusTip().isEmpty()) {
      showKeyInToolTip(*action);
    }
  }
}

void ShortcutScheme::assign(const QString& id, const QList<QKeySequence>& keys) {
  Row* row = rowOf(id);
  if (row == nullptr) {
    return;
  }
  row->keys = keys;
  apply(*row, keys);
  if (row->isChanged()) {
    m_changes[id] = keys;
  } else {
    m_changes.erase(id);
  }
  store();
}

void ShortcutScheme::reset(const QString& id) {
  if (const Row* row = find(id)) {
    assign(id, row->defaults);
  }
}

void ShortcutScheme::setChanges(Changes changes) {
  m_changes = std::move(changes);
  for (Row& row : m_rows) {
    const auto found = m_changes.find(row.id);
    row.keys = found == m_changes.end() ? row.defaults : found->second;
    apply(row, row.keys);
  }
  store();
}

void ShortcutScheme::store() {
  m_settings.set(kSchemeSetting, m_changes.empty() ? QByteArray() : exported());
  Q_EMIT changed();
}

QByteArray ShortcutScheme::exported() const {
  QJsonObject shortcuts;
  for (const auto& [id, keys] : m_changes) {
    QJsonArray texts;
    for (const QKeySequence& key : keys) {
      texts << key.toString(QKeySequence::PortableText);
    }
    shortcuts[id] = texts;
  }
  return QJsonDocument(QJsonObject{{QStringLiteral("format"), kSchemeFormat},
                                   {QStringLiteral("shortcuts"), shortcuts}})
      .toJson();
}

Result<ShortcutScheme::Changes> ShortcutScheme::parse(const QByteArray& json) {
  const QJsonObject root = QJsonDocument::fromJson(json).object();
  if (root[QStringLiteral("format")].toString() != kSchemeFormat ||
      !root[QStringLiteral("shortcuts")].isObject()) {
    return fail(ErrorCode::CorruptData,
                tr("This is not a scheme of shortcuts: “format” must be “%1”.")
                    .arg(kSchemeFormat)
                    .toStdString());
  }
  Changes changes;
  const QJsonObject shortcuts = root[QStringLiteral("shortcuts")].toObject();
  for (auto entry = shortcuts.begin(); entry != shortcuts.end(); ++entry) {
    QList<QKeySequence> keys;
    const QJsonArray texts = entry->toArray();
    for (const auto& text : texts) {
      const QKeySequence key(text.toString(), QKeySequence::PortableText);
      if (key.isEmpty() || key[0].key() == Qt::Key_unknown) {
        return fail(ErrorCode::CorruptData,
                    tr("%1: “%2” names no key.").arg(entry.key(), text.toString()).toStdString());
      }
      keys << key;
    }
    changes[entry.key()] = keys;
  }
  return changes;
}

Result<> ShortcutScheme::import(const QByteArray& json) {
  Changes changes = ULP_TRY(parse(json));
  const auto keysOf = [&](const Row& row) {
    const auto found = changes.find(row.id);
    return found == changes.end() ? row.defaults : found->second;
  };
  for (const Row& a : m_rows) {
    for (const Row& b : m_rows) {
      const bool touched = changes.contains(a.id) || changes.contains(b.id);
      if (&a < &b && touched && canMeet(a.scope, b.scope) && shareKeys(keysOf(a), keysOf(b))) {
        return fail(ErrorCode::InvalidArgument,
                    tr("“%1” and “%2” would share %3. Nothing was changed.")
                        .arg(a.text, b.text, keysText(keysOf(a)))
                        .toStdString());
      }
    }
  }
  setChanges(std::move(changes));
  return {};
}

void showKeyInToolTip(QAction& action) {
  const QString key = action.shortcut().toString(QKeySequence::NativeText);
  action.setToolTip(key.isEmpty() ? action.statusTip()
                                  : QStringLiteral("%1 (%2)").arg(action.statusTip(), key));
}

QString keysText(const QList<QKeySequence>& keys) {
  return QKeySequence::listToString(keys, QKeySequence::NativeText);
}

}  // namespace ulp::views
