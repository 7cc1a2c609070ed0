#include "views/framework/look/theme_manager.h"

#include <memory>

#include <QtDBus/QDBusConnection>
#include <QtDBus/QDBusMessage>
#include <QtDBus/QDBusPendingCallWatcher>
#include <QtDBus/QDBusPendingReply>
#include <QtDBus/QDBusVariant>
#include <QtWidgets/QApplication>

#include "views/framework/look/outlined_style.h"

namespace ulp::views {
namespace {

const QString& portalService() {
  static const QString kName = QStringLiteral("org.freedesktop.portal.Desktop");
  return kName;
}
const QString& portalPath() {
  static const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
  return kPath;
}
const QString& portalInterface() {
  static const QString kName = QStringLiteral("org.freedesktop.portal.Settings");
  return kName;
}
const QString& appearanceArea() {
  static const QString kName = QStringLiteral("org.freedesktop.appearance");
  return kName;
}
const QString& schemeKey() {
  static const QString kName = QStringLiteral("color-scheme");
  return kName;
}
const QString& contrastKey() {
  static const QString kName = QStringLiteral("contrast");
  return kName;
}

/// Read() wraps its answer in one variant more than ReadOne(); both are unwrapped here.
uint numberOf(QVariant value) {
  while (value.canConvert<QDBusVariant>()) {
    value = value.value<QDBusVariant>().variant();
  }
  return value.toUInt();
}

}  // namespace

QString toText(ThemeChoice choice) {
  switch (choice) {
    case ThemeChoice::Light:
      return QStringLiteral("light");
    case ThemeChoice::Dark:
      return QStringLiteral("dark");
    case ThemeChoice::HighContrast:
      return QStringLiteral("high-contrast");
    case ThemeChoice::System:
      break;
  }
  return QStringLiteral("system");
}

std::optional<ThemeChoice> parseThemeChoice(const QString& text) {
  for (const auto choice :
       {ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::HighContrast}) {
    if (text == toText(choice)) {
      return choice;
    }
  }
  return std::nullopt;
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

ThemeManager::~ThemeManager() = default;

void ThemeManager::setChoice(ThemeChoice choice) {
  m_choice = choice;
  apply();
}

void ThemeManager::followPortal() {
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) {
    return;
  }
  bus.connect(portalService(),
              portalPath(),
              portalInterface(),
              QStringLiteral("SettingChanged"),
              this,
              SLOT(onPortalSetting(QString, QString, QDBusVariant)));
  ask(schemeKey(), &ThemeManager::setPortalScheme);
  ask(contrastKey(), &ThemeManager::setPortalContrast);
}

void ThemeManager::ask(const QString& key, void (ThemeManager::*set)(uint)) {
  QDBusMessage call = QDBusMessage::createMethodCall(
      portalService(), portalPath(), portalInterface(), QStringLiteral("Read"));
  call.setArguments({appearanceArea(), key});
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
  if (area != appearanceArea()) {
    return;
  }
  if (key == schemeKey()) {
    setPortalScheme(numberOf(value.variant()));
  } else if (key == contrastKey()) {
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
