#include "views/framework/theme_manager.h"

#include <QtDBus/QDBusConnection>
#include <QtDBus/QDBusMessage>
#include <QtDBus/QDBusPendingCallWatcher>
#include <QtDBus/QDBusPendingReply>
#include <QtDBus/QDBusVariant>
#include <QtWidgets/QApplication>

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

/// Read() wraps its answer in one variant more than ReadOne(); both are unwrapped here.
uint schemeOf(QVariant value) {
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
    case ThemeChoice::System:
      break;
  }
  return QStringLiteral("system");
}

std::optional<ThemeChoice> parseThemeChoice(const QString& text) {
  for (const auto choice : {ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark}) {
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
  QApplication::setStyle(QStringLiteral("Fusion"));
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
  bus.connect(portalService(),
              portalPath(),
              portalInterface(),
              QStringLiteral("SettingChanged"),
              this,
              SLOT(onPortalSetting(QString, QString, QDBusVariant)));
  QDBusMessage call = QDBusMessage::createMethodCall(
      portalService(), portalPath(), portalInterface(), QStringLiteral("Read"));
  call.setArguments({appearanceArea(), schemeKey()});
  auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
  connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
    const QDBusPendingReply<QDBusVariant> reply = *watcher;
    if (!reply.isError()) {
      setPortalScheme(schemeOf(QVariant::fromValue(reply.value())));
    }
    watcher->deleteLater();
  });
}

void ThemeManager::onPortalSetting(const QString& area,
                                   const QString& key,
                                   const QDBusVariant& value) {
  if (area == appearanceArea() && key == schemeKey()) {
    setPortalScheme(schemeOf(value.variant()));
  }
}

void ThemeManager::setPortalScheme(uint scheme) {
  m_portalIsDark = scheme == 0 ? std::nullopt : std::optional(scheme == 1);
  apply();
}

bool ThemeManager::systemIsDark() const {
  return m_portalIsDark.value_or(m_platformIsDark);
}

void ThemeManager::apply() {
  m_dark = m_choice == ThemeChoice::Dark || (m_choice == ThemeChoice::System && systemIsDark());
  if (m_applied != m_dark) {
    m_applied = m_dark;
    QApplication::setPalette(theme().palette);
    Q_EMIT themeChanged(theme());
  }
}

}  // namespace ulp::views
