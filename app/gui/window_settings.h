#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include "views/framework/settings_store.h"

namespace ulp::app {

/// Raised when docks are renamed or moved to other areas: an older layout is then not restored.
inline constexpr int kLayoutVersion = 1;

inline const views::Setting<QByteArray> kGeometry{QStringLiteral("window/geometry"), {}};
/// Ids of the tabs that the user added: "depth#2".
inline const views::Setting<QStringList> kAddedTabs{QStringLiteral("window/tabs"), {}};
inline const views::Setting<QByteArray> kLayout{QStringLiteral("window/layout"), {}};
inline const views::Setting<QString> kTheme{QStringLiteral("window/theme"),
                                            QStringLiteral("system")};

/// State of one view, as JSON.
[[nodiscard]] inline views::Setting<QByteArray> viewStateSetting(const QString& id) {
  return {QStringLiteral("views/") + id, {}};
}

}  // namespace ulp::app
