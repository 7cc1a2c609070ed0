#include "app/gui/session/applied_settings.h"

#include <algorithm>

#include <QtWidgets/QApplication>

#include "app/gui/session/window_settings.h"
#include "views/framework/look/theme_manager.h"

namespace ulp::app {
namespace {

int textPercent(const views::SettingsStore& settings) {
  return std::clamp(settings.get(kTextSize), 75, 300);
}

}  // namespace

AppliedSettings::AppliedSettings(views::SettingsStore& settings,
                                 views::ThemeManager& themes,
                                 QObject* parent)
    : QObject(parent), m_settings(settings), m_themes(themes), m_systemFont(QApplication::font()) {
  connect(&settings, &views::SettingsStore::changed, this, &AppliedSettings::apply);
  applyTheme();
  applyTextSize();
}

AppliedSettings::~AppliedSettings() {
  QApplication::setFont(m_systemFont);
}

void AppliedSettings::apply(const QString& key) {
  if (key == kTheme.key) {
    applyTheme();
  } else if (key == kTextSize.key) {
    applyTextSize();
  }
}

void AppliedSettings::applyTheme() {
  const auto choice = views::parseThemeChoice(m_settings.get(kTheme));
  m_themes.setChoice(choice.value_or(views::ThemeChoice::System));
}

void AppliedSettings::applyTextSize() {
  QFont font = m_systemFont;
  font.setPointSizeF(m_systemFont.pointSizeF() * textPercent(m_settings) / 100);
  if (font != QApplication::font()) {
    QApplication::setFont(font);
  }
}

}  // namespace ulp::app
