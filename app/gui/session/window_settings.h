#pragma once

#include <QtCore/QObject>
#include <QtGui/QFont>

#include "views/framework/settings/settings_store.h"

namespace ulp::views {
class ThemeManager;
}  // namespace ulp::views

namespace ulp::app {

inline const views::Setting<QString> kTheme{QStringLiteral("window/theme"),
                                            QStringLiteral("system")};
/// Percent of the system's text size. Layouts are in font metrics, so that everything follows.
inline const views::Setting<int> kTextSize{QStringLiteral("window/text-size"), 100};
/// "system", or a language as in the names of the translations: "en", "de", "zh_CN".
inline const views::Setting<QString> kLanguage{QStringLiteral("window/language"),
                                               QStringLiteral("system")};
/// Machines that studies ran on, the last one first.
inline const views::Setting<QStringList> kRecentHosts{QStringLiteral("run/hosts"), {}};
inline const views::Setting<bool> kRestoreSession{QStringLiteral("session/restore"), true};

/// Everything that the settings window shows.
[[nodiscard]] views::SettingsCatalog declaredSettings();
/// Title of the page that holds the shortcuts.
[[nodiscard]] QString keyboardPage();

/// Makes what the user sets hold in the whole application: theme and text size, now and whenever
/// they change.
class AppliedSettings : public QObject {
  Q_OBJECT

 public:
  AppliedSettings(views::SettingsStore& settings, views::ThemeManager& themes);
  ~AppliedSettings() override;
  AppliedSettings(const AppliedSettings&) = delete;
  AppliedSettings& operator=(const AppliedSettings&) = delete;

 private:
  void apply(const QString& key);
  void applyTheme();
  void applyTextSize();

  views::SettingsStore& m_settings;
  views::ThemeManager& m_themes;
  QFont m_systemFont;
};

}  // namespace ulp::app
