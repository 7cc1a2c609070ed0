#include "app/gui/window_settings.h"

#include <QtCore/QCoreApplication>

#include "views/framework/common_settings.h"

namespace ulp::app {
namespace {

QString translate(const char* text) {
  return QCoreApplication::translate("ulp::app::Settings", text);
}

}  // namespace

QString keyboardPage() {
  return translate("Keyboard");
}

views::SettingsCatalog declaredSettings() {
  views::SettingsCatalog catalog;
  const QString appearance = translate("Appearance");
  const QString files = translate("Files and session");
  catalog.declare(kTheme,
                  {.page = appearance,
                   .title = translate("Theme"),
                   .help = translate("Colours of the window and of all charts."),
                   .choices = {{QStringLiteral("system"), translate("As the system")},
                               {QStringLiteral("light"), translate("Light")},
                               {QStringLiteral("dark"), translate("Dark")},
                               {QStringLiteral("high-contrast"), translate("High contrast")}},
                   .range = {}});
  catalog.declare(
      kTextSize,
      {.page = appearance,
       .title = translate("Text size"),
       .help = translate("In percent of the system's; everything else grows with the text."),
       .choices = {},
       .range = views::SettingRange{
           .low = 75, .high = 300, .step = 25, .suffix = QStringLiteral(" %")}});
  catalog.declare(kLanguage,
                  {.page = appearance,
                   .title = translate("Language"),
                   .help = translate("Holds from the next start on."),
                   .choices = {{QStringLiteral("system"), translate("As the system")},
                               {QStringLiteral("en"), QStringLiteral("English")},
                               {QStringLiteral("zh_CN"), QStringLiteral("简体中文")}},
                   .range = {}});
  catalog.declare(
      kRestoreSession,
      {.page = files,
       .title = translate("Continue where I left off"),
       .help = translate(
           "Opens the report and the study of the last session when the program starts, and "
           "brings back the studies that waited in the queue."),
       .choices = {},
       .range = {}});
  catalog.declare(views::kRecentLimit,
                  {.page = files,
                   .title = translate("Recent files"),
                   .help = translate("How many are listed; 0 remembers none."),
                   .choices = {},
                   .range = views::SettingRange{.low = 0, .high = 50, .step = 1, .suffix = {}}});
  catalog.declare(
      views::kSingleLetterKeys,
      {.page = keyboardPage(),
       .title = translate("Keys of a single letter"),
       .help = translate("L, N, ? and the like act while a chart or a table has the focus."),
       .choices = {},
       .range = {}});
  return catalog;
}

}  // namespace ulp::app
