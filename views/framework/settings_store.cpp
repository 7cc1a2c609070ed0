#include "views/framework/settings_store.h"

#include <QtCore/QStandardPaths>

namespace ulp::views {
namespace {

QString defaultFile() {
  return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
         QStringLiteral("/ulpscope/ulpscope.ini");
}

}  // namespace

SettingsStore::SettingsStore(const QString& file, QObject* parent)
    : QObject(parent), m_settings(file.isEmpty() ? defaultFile() : file, QSettings::IniFormat) {}

}  // namespace ulp::views
