#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>

#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtCore/QString>

#include "views/framework/look/theme.h"

class QDBusVariant;

namespace ulp::views {

class OutlinedStyle;

enum class ThemeChoice : std::uint8_t { System, Light, Dark, HighContrast };

/// "system" | "light" | "dark" | "high-contrast", not translated
[[nodiscard]] QString toText(ThemeChoice choice);
[[nodiscard]] std::optional<ThemeChoice> parseThemeChoice(const QString& text);

/// Applies the theme to the application and says when it changes. The system's wish is read from
/// the platform's palette and, once the event loop runs, from the desktop portal
/// (org.freedesktop.appearance color-scheme and contrast), which also reports later changes. One
/// per process.
class ThemeManager : public QObject {
  Q_OBJECT

 public:
  explicit ThemeManager(QObject* parent = nullptr);

  [[nodiscard]] const Theme& theme() const { return *m_theme; }
  /// Calls `use`, a function or one of the receiver, with the theme now and with each that takes
  /// its place while the receiver lives.
  template <class Receiver, class Use>
  void follow(Receiver* receiver, Use use) const {
    connect(this, &ThemeManager::themeChanged, receiver, use);
    if constexpr (std::is_invocable_v<Use, const Theme&>) {
      use(theme());
    } else {
      std::invoke(use, receiver, theme());
    }
  }
  [[nodiscard]] ThemeChoice choice() const { return m_choice; }
  void setChoice(ThemeChoice choice);
  /// Asks the portal in the background; harmless without a session bus.
  void followPortal();

  /// Value of color-scheme as the portal defines it: 1 prefers dark, 2 light, 0 no preference.
  Q_SLOT void setPortalScheme(uint scheme);
  /// Value of contrast as the portal defines it: 1 prefers more contrast, 0 no preference.
  Q_SLOT void setPortalContrast(uint contrast);

 Q_SIGNALS:
  void themeChanged(const ulp::views::Theme& theme);

 private:
  Q_SLOT void onPortalSetting(const QString& area, const QString& key, const QDBusVariant& value);
  void ask(const QString& key, void (ThemeManager::*set)(uint));
  void apply();
  [[nodiscard]] const Theme& wanted() const;

  ThemeChoice m_choice = ThemeChoice::System;
  bool m_platformIsDark = false;
  std::optional<bool> m_portalIsDark;
  bool m_portalWantsContrast = false;
  const Theme* m_theme = nullptr;   ///< the one that is applied
  QPointer<OutlinedStyle> m_style;  ///< owned by the application
};

}  // namespace ulp::views
