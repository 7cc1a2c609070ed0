#pragma once

#include "views/framework/settings/settings_catalog.h"

namespace ulp::app {

inline const views::Setting<QString> kTheme{QStringLiteral("window/theme"),
                                            QStringLiteral("system")};
/// Percent of the system's text size. Layouts are in font metrics, so that everything follows.
inline const views::Setting<int> kTextSize{QStringLiteral("window/text-size"), 100};
/// "system", or a language as in the names of the translations: "en", "zh_CN".
inline const views::Setting<QString> kLanguage{QStringLiteral("window/language"),
                                               QStringLiteral("system")};
inline const views::Setting<bool> kRestoreSession{QStringLiteral("session/restore"), true};

/// Everything that the settings window shows.
[[nodiscard]] views::SettingsCatalog declaredSettings();
/// Title of the page that holds the shortcuts.
[[nodiscard]] QString keyboardPage();

}  // namespace ulp::app
