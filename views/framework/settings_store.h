#pragma once

#include <QtCore/QObject>
#include <QtCore/QSettings>
#include <QtCore/QString>
#include <QtCore/QVariant>

namespace ulp::views {

/// A key of the settings file with its type and default. Declared once, in the struct of its area.
template <class T>
struct Setting {
  QString key;
  T defaultValue;
};

/// Settings in one INI file of the user's configuration folder. A damaged file or value reads as
/// the default.
class SettingsStore : public QObject {
  Q_OBJECT

 public:
  /// `file`: empty for the user's own, $XDG_CONFIG_HOME/ulpscope/ulpscope.ini.
  explicit SettingsStore(const QString& file = {}, QObject* parent = nullptr);

  template <class T>
  [[nodiscard]] T get(const Setting<T>& setting) const {
    const QVariant stored = m_settings.value(setting.key);
    return stored.isValid() && stored.canConvert<T>() ? stored.value<T>() : setting.defaultValue;
  }
  template <class T>
  void set(const Setting<T>& setting, const T& value) {
    m_settings.setValue(setting.key, QVariant::fromValue(value));
  }
  /// Back to the defaults, also on disk.
  void clear() { m_settings.clear(); }
  void sync() { m_settings.sync(); }
  [[nodiscard]] QString fileName() const { return m_settings.fileName(); }

 private:
  QSettings m_settings;
};

}  // namespace ulp::views
