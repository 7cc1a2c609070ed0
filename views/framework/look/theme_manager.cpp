#include "views/framework/look/theme_manager.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <QtDBus/QDBusConnection>
#include <QtDBus/QDBusMessage>
#include <QtDBus/QDBusPendingCallWatcher>
#include <QtDBus/QDBusPendingReply>
#include <QtDBus/QDBusVariant>
#include <QtWidgets/QApplication>

#include "views/framework/look/outlined_style.h"

namespace ulp::views {
namespace {

const QString kPortalService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPortalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kPortalInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kAppearanceArea = QStringLiteral("org.freedesktop.appearance");
const QString kSchemeKey = QStringLiteral("color-scheme");
const QString kContrastKey = QStringLiteral("contrast");

using ThemeName = std::pair<ThemeChoice, const char*>;
constexpr std::array<ThemeName, 4> kThemeChoices{{{ThemeChoice::System, "system"},
                                                  {ThemeChoice::Light, "light"},
                                                  {ThemeChoice::Dark, "dark"},
                                                  {ThemeChoice::HighContrast, "high-contrast"}}};

/// Read() wraps its answer in one variant more than ReadOne(); both are unwrapped here.
uint numberOf(QVariant value) {
  while (value.canConvert<QDBusVariant>()) {
    value = value.value<QDBusVariant>().variant();
  }
  return value.toUInt();
}

}  // namespace

QString toText(ThemeChoice choice) {
  return QLatin1String(std::ranges::find(kThemeChoices, choice, &ThemeName::first)->second);
}

std::optional<ThemeChoice> parseThemeChoice(const QString& text) {
  const auto known = std::ranges::find_if(
      kThemeChoices, [&](const ThemeName& name) { return text == QLatin1String(name.second); });
  return known == kThemeChoices.end() ? std::nullopt : std::optional(known->first);
}

ThemeManager::ThemeManager(QObject* parent) : QObject(parent) {
  const QPalette system = QApplication::palette();
  m_platformIsDark =
      system.color(QPalette::Window).lightness() < system.color(QPalette::WindowText).lightness();
  auto style = std::make_unique<OutlinedStyle>();
  m_style = style.get();
  QApplication::setStyle(style.release());
  apply();
}

void ThemeManager::setChoice(ThemeChoice choice) {
  m_choice = choice;
  apply();
}

void ThemeManager::followPortal() {
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) {
    return;
  }
  bus.connect(kPortalService,
              kPortalPath,
              kPortalInterface,
              QStringLiteral("SettingChanged"),
              this,
              SLOT(onPortalSetting(QString, QString, QDBusVariant)));
  ask(kSchemeKey, &ThemeManager::setPortalScheme);
  ask(kContrastKey, &ThemeManager::setPortalContrast);
}

void ThemeManager::ask(const QString& key, void (ThemeManager::*set)(uint)) {
  QDBusMessage call = QDBusMessage::createMethodCall(
      kPortalService, kPortalPath, kPortalInterface, QStringLiteral("Read"));
  call.setArguments({kAppearanceArea, key});
  auto* watcher = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(call), this);
  connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher, set] {
    const QDBusPendingReply<QDBusVariant> reply = *watcher;
    if (!reply.isError()) {
      (this->*set)(numberOf(QVariant::fromValue(reply.value())));
    }
    watcher->deleteLater();
  });
}

void ThemeManager::onPortalSetting(const QString& area,
                                   const QString& key,
                                   const QDBusVariant& value) {
  if (area != kAppearanceArea) {
    return;
  }
  if (key == kSchemeKey) {
    setPortalScheme(numberOf(value.variant()));
  } else if (key == kContrastKey) {
    setPortalContrast(numberOf(value.variant()));
  }
}

void ThemeManager::setPortalScheme(uint scheme) {
  m_portalIsDark = scheme == 0 ? std::nullopt : std::optional(scheme == 1);
  apply();
}

void ThemeManager::setPortalContrast(uint contrast) {
  m_portalWantsContrast = contrast == 1;
  apply();
}

const Theme& ThemeManager::wanted() const {
  switch (m_choice) {
    case ThemeChoice::Light:
      return lightTheme();
    case ThemeChoice::Dark:
      return darkTheme();
    case ThemeChoice::HighContrast:
      return highContrastTheme();
    case ThemeChoice::System:
      break;
  }
  if (m_portalWantsContrast) {
    return highContrastTheme();
  }
  return m_portalIsDark.value_or(m_platformIsDark) ? darkTheme() : lightTheme();
}

void ThemeManager::apply() {
  const Theme& next = wanted();
  if (m_theme != &next) {
    m_theme = &next;
    if (m_style) {
      m_style->setOutlined(next.highContrast);
    }
    QApplication::setPalette(next.palette);
    Q_EMIT themeChanged(next);
  }
}

}  // namespace ulp::views
