#include "app/gui/session/window_settings.h"

#include <algorithm>

#include <QtCore/QCoreApplication>
#include <QtWidgets/QApplication>

#include "views/commands/single_keys.h"
#include "views/comparing/dump_comparer.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/workspace/recently_opened.h"

namespace ulp::app {
namespace {

struct WindowSettingsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::app::Settings)
};

}  // namespace

QString keyboardPage() {
  return WindowSettingsWords::tr("Keyboard");
}

views::SettingsCatalog declaredSettings() {
  views::SettingsCatalog catalog;
  const QString appearance = WindowSettingsWords::tr("Appearance");
  const QString files = WindowSettingsWords::tr("Files and session");
  catalog.declare(
      kTheme,
      {.page = appearance,
       .title = WindowSettingsWords::tr("Theme"),
       .help = WindowSettingsWords::tr("Colours of the window and of all charts."),
       .choices = {{QStringLiteral("system"), WindowSettingsWords::tr("As the system")},
                   {QStringLiteral("light"), WindowSettingsWords::tr("Light")},
                   {QStringLiteral("dark"), WindowSettingsWords::tr("Dark")},
                   {QStringLiteral("high-contrast"), WindowSettingsWords::tr("High contrast")}}});
  catalog.declare(kTextSize,
                  {.page = appearance,
                   .title = WindowSettingsWords::tr("Text size"),
                   .help = WindowSettingsWords::tr(
                       "In percent of the system's; everything else grows with the text."),
                   .range = views::SettingRange{
                       .low = 75, .high = 300, .step = 25, .suffix = QStringLiteral(" %")}});
  catalog.declare(kLanguage,
                  {.page = appearance,
                   .title = WindowSettingsWords::tr("Language"),
                   .help = WindowSettingsWords::tr("Holds from the next start on."),
                   .choices = {{QStringLiteral("system"), WindowSettingsWords::tr("As the system")},
                               {QStringLiteral("en"), QStringLiteral("English")},
                               {QStringLiteral("de"), QStringLiteral("Deutsch")},
                               {QStringLiteral("zh_CN"), QStringLiteral("简体中文")}}});
  catalog.declare(
      kRestoreSession,
      {.page = files,
       .title = WindowSettingsWords::tr("Continue where I left off"),
       .help = WindowSettingsWords::tr(
           "Opens the report and the study of the last session when the program starts, and "
           "brings back the studies that waited in the queue.")});
  catalog.declare(views::kRecentLimit,
                  {.page = files,
                   .title = WindowSettingsWords::tr("Recent files"),
                   .help = WindowSettingsWords::tr("How many are listed; 0 remembers none."),
                   .range = views::SettingRange{.low = 0, .high = 50, .step = 1}});
  catalog.declare(views::kComparisonThreads,
                  {.page = WindowSettingsWords::tr("Comparing dumps"),
                   .title = WindowSettingsWords::tr("Threads"),
                   .help = WindowSettingsWords::tr(
                       "How many compare two dumps, or read one, from the next comparison on; 0 "
                       "takes one for each core."),
                   .range = views::SettingRange{.low = 0, .high = 4096, .step = 1}});
  catalog.declare(views::kSingleLetterKeys,
                  {.page = keyboardPage(),
                   .title = WindowSettingsWords::tr("Keys of a single letter"),
                   .help = WindowSettingsWords::tr(
                       "L, N, ? and the like act while a chart or a table has the focus.")});
  return catalog;
}

AppliedSettings::AppliedSettings(views::SettingsStore& settings, views::ThemeManager& themes)
    : m_settings(settings), m_themes(themes), m_systemFont(QApplication::font()) {
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
  const int percent = std::clamp(m_settings.get(kTextSize), 75, 300);
  QFont font = m_systemFont;
  font.setPointSizeF(m_systemFont.pointSizeF() * percent / 100);
  if (font != QApplication::font()) {
    QApplication::setFont(font);
  }
}

}  // namespace ulp::app
