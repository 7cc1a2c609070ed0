#include "views/framework/settings/settings_store.h"

#include <algorithm>
#include <chrono>

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QRegularExpression>
#include <QtCore/QStandardPaths>

#include "core/base/files/atomic_file.h"

namespace ulp::views {
namespace {

constexpr std::chrono::milliseconds kTurnPatience{200};

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
      m_aside(checkFile(file.isEmpty() ? defaultFile() : file)),
      m_settings(file.isEmpty() ? defaultFile() : file, QSettings::IniFormat) {
  // Behind a section whose name goes on in the next line Qt overlooks keys until it has looked at
  // all, and then has them: what a window does would depend on when it reads.
  static_cast<void>(m_settings.allKeys());
}

std::optional<Message> SettingsStore::problem() const {
  return m_aside ? std::optional(setAsideMessage(fileName(), tr("settings"), *m_aside))
                 : std::nullopt;
}

SettingsStore::Turn::Turn(SettingsStore& settings)
    // Without a turn, because another window hangs or there is no folder yet, it is done all the
    // same: settings are no reason to wait.
    : m_turn(FolderTurn::take(QFileInfo(settings.fileName()).absolutePath().toStdString(),
                              kTurnPatience)),
      m_settings(settings) {
  settings.sync();
}

QVariant SettingsStore::value(const QString& key, const QVariant& defaultValue) const {
  QVariant stored = m_settings.value(key);
  // An INI file holds text: a number is good if it reads as one.
  return stored.isValid() && stored.convert(defaultValue.metaType()) ? stored : defaultValue;
}

void SettingsStore::setValue(const QString& key, const QVariant& value) {
  if (m_settings.value(key) != value) {
    m_settings.setValue(key, value);
    Q_EMIT changed(key);
  }
}

void SettingsStore::remove(const QString& key) {
  if (m_settings.contains(key)) {
    m_settings.remove(key);
    Q_EMIT changed(key);
  }
}

void SettingsStore::clear() {
  const QStringList keys = m_settings.allKeys();
  m_settings.clear();
  for (const QString& key : keys) {
    Q_EMIT changed(key);
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
