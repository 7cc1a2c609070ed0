#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QVariant>

#include "core/base/result.h"
#include "views/framework/settings/settings_writer.h"
#include "views/framework/widgets/message.h"

namespace ulp::views {

/// A key of the settings file with its type and default. Declared once, in the struct of its area;
/// how the user sees it is declared beside it (SettingsCatalog).
template <class T>
struct Setting {
  QString key;
  T defaultValue;
};

/// Settings in one INI file of the user's configuration folder. A damaged file is set aside and
/// everything reads as its default; a damaged value reads as the default. Changes hold at once, and
/// are written by a thread of their own; then what other windows wrote holds here, too.
class SettingsStore : public QObject {
  Q_OBJECT

 public:
  /// `file`: empty for the user's own, $XDG_CONFIG_HOME/ulpscope/ulpscope.ini.
  explicit SettingsStore(const QString& file = {}, QObject* parent = nullptr);

  template <class T>
  [[nodiscard]] T get(const Setting<T>& setting) const {
    return value(setting.key, QVariant::fromValue(setting.defaultValue)).template value<T>();
  }
  template <class T>
  void set(const Setting<T>& setting, const T& value) {
    setValue(setting.key, QVariant::fromValue(value));
  }
  /// Changes what other windows change, too, such as a list that grows: `change` is given what this
  /// window knows, and what the file holds when it is written. It is called in several threads, and
  /// depends on what it is given alone.
  template <class T, class Change>
  void update(const Setting<T>& setting, Change change) {
    edit([setting, change = std::move(change)](SettingValues& values) {
      values[setting.key] = QVariant::fromValue<T>(
          change(valueOf(values, setting.key, QVariant::fromValue(setting.defaultValue))
                     .template value<T>()));
    });
  }
  /// What is stored, in the type of `defaultValue`; the default where nothing of that type is.
  [[nodiscard]] QVariant value(const QString& key, const QVariant& defaultValue) const;
  void setValue(const QString& key, const QVariant& value);
  /// Back to the default.
  void remove(const QString& key);
  /// Back to the defaults.
  void clear();
  /// Waits until all is on the disk.
  void sync();
  [[nodiscard]] const QString& fileName() const { return m_file; }
  /// What became of a damaged file; nothing: there was none.
  [[nodiscard]] std::optional<Message> problem() const;

 Q_SIGNALS:
  /// Of one key, by whomever.
  void changed(const QString& key);
  /// The file cannot be written, for the first time.
  void unwritable(const Message& message);

 private:
  [[nodiscard]] static QVariant valueOf(const SettingValues& values,
                                        const QString& key,
                                        const QVariant& defaultValue);
  void edit(SettingsEdit edit);
  /// Takes over what was written, by whomever.
  void takeWritten();
  void tellChanges(const SettingValues& before);

  QString m_file;
  std::optional<Result<std::filesystem::path>> m_aside;  ///< the damaged file, if there was one
  SettingValues m_values;
  std::deque<SettingsEdit> m_unwritten;  ///< of them m_values has the effect already
  bool m_isOnDisk = true;
  SettingsWriter m_writer;
};

/// Says that `path` could not be read and was set aside, or why it was not. `what`: "settings",
/// "session", in the user's language.
[[nodiscard]] Message setAsideMessage(const QString& path,
                                      const QString& what,
                                      const Result<std::filesystem::path>& aside);

/// One of the values that a setting can have, and its name.
struct SettingChoice {
  QVariant value;
  QString text;
};

/// Whole numbers from `low` to `high`.
struct SettingRange {
  int low = 0;
  int high = 0;
  int step = 1;
  QString suffix;  ///< unit, with the space before it
};

/// How a setting is shown: as a check box if it is a bool, a list if it has choices, a number if it
/// has a range, a line of text otherwise.
struct SettingInfo {
  QString page;
  QString title;
  QString help;  ///< one sentence: what it does
  std::vector<SettingChoice> choices{};
  std::optional<SettingRange> range{};
};

struct DeclaredSetting {
  QString key;
  QVariant defaultValue;
  SettingInfo info;
};

/// The settings that the user sees, in the order of the window that is made from them.
class SettingsCatalog {
 public:
  template <class T>
  void declare(const Setting<T>& setting, const SettingInfo& info) {
    m_settings.push_back({.key = setting.key,
                          .defaultValue = QVariant::fromValue(setting.defaultValue),
                          .info = info});
  }
  [[nodiscard]] const std::vector<DeclaredSetting>& all() const { return m_settings; }
  /// In order of their first setting.
  [[nodiscard]] QStringList pages() const;

 private:
  std::vector<DeclaredSetting> m_settings;
};

/// `value` if the setting can have it, else its default: what was written by hand or by another
/// version may lie outside the range or name a choice that is gone.
[[nodiscard]] QVariant validValue(const DeclaredSetting& setting, const QVariant& value);

}  // namespace ulp::views
