#include "views/framework/settings/settings_store.h"

#include <algorithm>
#include <cstddef>

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QMetaObject>
#include <QtCore/QRegularExpression>
#include <QtCore/QSettings>
#include <QtCore/QStandardPaths>

#include "core/base/files/atomic_file.h"

namespace ulp::views {
namespace {

QString defaultFile() {
  return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
         QStringLiteral("/ulpscope/ulpscope.ini");
}

/// A pattern of an ASCII word, of which any character may be an escape sequence of an INI file.
QString spelled(const QString& word) {
  QString pattern;
  for (const QChar character : word) {
    const int code = character.unicode();
    pattern += QStringLiteral(R"((?:%1|\\x0*%2|\\0*%3))")
                   .arg(QRegularExpression::escape(character))
                   .arg(code, 0, 16)
                   .arg(code, 0, 8);
  }
  return pattern;
}

/// Whether it has values that QSettings would take for objects of any type and size, in Qt's binary
/// format. None of ours is one.
bool hasObjects(const QString& file) {
  static const QRegularExpression kObject(
      QStringLiteral("[=,\"]\\s*(?:%1|%2)")
          .arg(spelled(QStringLiteral("@Variant(")), spelled(QStringLiteral("@DateTime("))),
      QRegularExpression::CaseInsensitiveOption);
  QFile bytes(file);
  return bytes.open(QIODevice::ReadOnly) && QString::fromLatin1(bytes.readAll()).contains(kObject);
}

/// Whether they mean the same: what was read of a file is text.
bool isSame(const QVariant& left, const QVariant& right) {
  QVariant converted = left;
  return left == right || (converted.convert(right.metaType()) && converted == right);
}

std::optional<Result<std::filesystem::path>> checkFile(const QString& file) {
  if (!QFile::exists(file)) {
    return std::nullopt;
  }
  const auto isGood = [&] {
    return !hasObjects(file) &&
           QSettings(file, QSettings::IniFormat).status() != QSettings::FormatError;
  };
  return isGood() ? std::nullopt : std::optional(setAside(file.toStdString()));
}

}  // namespace

SettingsStore::SettingsStore(const QString& file, QObject* parent)
    : QObject(parent),
      m_file(file.isEmpty() ? defaultFile() : file),
      m_aside(checkFile(m_file)),
      m_values(readSettings(m_file)),
      m_writer(m_file, [this] {
        QMetaObject::invokeMethod(this, &SettingsStore::takeWritten, Qt::QueuedConnection);
      }) {}

std::optional<Message> SettingsStore::problem() const {
  return m_aside ? std::optional(setAsideMessage(fileName(), tr("settings"), *m_aside))
                 : std::nullopt;
}

QVariant SettingsStore::valueOf(const SettingValues& values,
                                const QString& key,
                                const QVariant& defaultValue) {
  QVariant stored = values.value(key);
  // An INI file holds text: a number is good if it reads as one.
  return stored.isValid() && stored.convert(defaultValue.metaType()) ? stored : defaultValue;
}

QVariant SettingsStore::value(const QString& key, const QVariant& defaultValue) const {
  return valueOf(m_values, key, defaultValue);
}

void SettingsStore::setValue(const QString& key, const QVariant& value) {
  if (!m_values.contains(key) || !isSame(m_values[key], value)) {
    edit([key, value](SettingValues& values) { values[key] = value; });
  }
}

void SettingsStore::remove(const QString& key) {
  if (m_values.contains(key)) {
    edit([key](SettingValues& values) { values.remove(key); });
  }
}

void SettingsStore::clear() {
  edit([](SettingValues& values) { values.clear(); });
}

void SettingsStore::sync() {
  m_writer.finish();
  takeWritten();
}

void SettingsStore::edit(SettingsEdit edit) {
  const SettingValues before = m_values;
  edit(m_values);
  m_unwritten.push_back(edit);
  m_writer.add(std::move(edit));
  tellChanges(before);
}

void SettingsStore::takeWritten() {
  std::optional<SettingsWriter::Written> written = m_writer.take();
  if (!written) {
    return;
  }
  const bool wasOnDisk = std::exchange(m_isOnDisk, written->values.has_value());
  if (!written->values) {
    if (wasOnDisk) {
      Q_EMIT unwritable({.text = tr("%1 cannot be written: settings that you change hold until the "
                                    "program ends.")
                                     .arg(m_file),
                         .topic = QStringLiteral("unwritable:") + m_file});
    }
    return;
  }
  m_unwritten.erase(m_unwritten.begin(),
                    m_unwritten.begin() + static_cast<std::ptrdiff_t>(written->edits));
  const SettingValues before = std::exchange(m_values, *std::move(written->values));
  for (const SettingsEdit& edit : m_unwritten) {
    edit(m_values);
  }
  tellChanges(before);
}

void SettingsStore::tellChanges(const SettingValues& before) {
  const SettingValues after = m_values;  // who is told may change more
  for (auto value = after.begin(); value != after.end(); ++value) {
    if (!before.contains(value.key()) || !isSame(before[value.key()], value.value())) {
      Q_EMIT changed(value.key());
    }
  }
  for (auto value = before.begin(); value != before.end(); ++value) {
    if (!after.contains(value.key())) {
      Q_EMIT changed(value.key());
    }
  }
}

Message setAsideMessage(const QString& path,
                        const QString& what,
                        const Result<std::filesystem::path>& aside) {
  const QString text =
      aside ? SettingsStore::tr(
                  "%1 (%2) could not be read. It was kept as %3, and the program "
                  "starts with what it brings.")
                  .arg(path, what, QString::fromStdString(aside->filename().string()))
            : SettingsStore::tr(
                  "%1 (%2) could not be read and could not be set aside: %3. The "
                  "program starts with what it brings.")
                  .arg(path, what, QString::fromStdString(aside.error().message()));
  return {.text = text, .topic = QStringLiteral("damaged:") + path};
}

QStringList SettingsCatalog::pages() const {
  QStringList pages;
  for (const DeclaredSetting& setting : m_settings) {
    pages << setting.info.page;
  }
  pages.removeDuplicates();
  return pages;
}

QVariant validValue(const DeclaredSetting& setting, const QVariant& value) {
  const std::vector<SettingChoice>& choices = setting.info.choices;
  if (!choices.empty()) {
    const auto known = std::ranges::find(choices, value, &SettingChoice::value);
    return known == choices.end() ? setting.defaultValue : value;
  }
  if (setting.info.range) {
    bool isNumber = false;
    const int number = value.toInt(&isNumber);
    const bool inside =
        isNumber && number >= setting.info.range->low && number <= setting.info.range->high;
    return inside ? value : setting.defaultValue;
  }
  return value;
}

}  // namespace ulp::views
