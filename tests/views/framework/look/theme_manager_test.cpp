#include "views/framework/look/theme_manager.h"

#include <gtest/gtest.h>

#include <QtTest/QSignalSpy>
#include <QtWidgets/QApplication>

namespace ulp::views {
namespace {

TEST(ThemeManager, SwitchesTheWholeApplication) {
  ThemeManager themes;
  themes.setChoice(ThemeChoice::Light);
  const QSignalSpy changed(&themes, &ThemeManager::themeChanged);
  themes.setChoice(ThemeChoice::Dark);
  EXPECT_EQ(changed.count(), 1);
  EXPECT_TRUE(themes.theme().dark);
  EXPECT_EQ(QApplication::palette().color(QPalette::Base),
            darkTheme().palette.color(QPalette::Base));
  themes.setChoice(ThemeChoice::Light);
  EXPECT_EQ(QApplication::palette().color(QPalette::Base),
            lightTheme().palette.color(QPalette::Base));
}

TEST(ThemeManager, FollowsThePortalUnlessForced) {
  ThemeManager themes;
  themes.setPortalScheme(1);
  EXPECT_TRUE(themes.theme().dark);
  themes.setPortalScheme(2);
  EXPECT_FALSE(themes.theme().dark);
  themes.setChoice(ThemeChoice::Dark);
  themes.setPortalScheme(2);
  EXPECT_TRUE(themes.theme().dark);
  themes.setChoice(ThemeChoice::System);
  EXPECT_FALSE(themes.theme().dark);
}

TEST(ThemeManager, FollowsTheSystemsWishForContrast) {
  ThemeManager themes;
  const QSignalSpy changed(&themes, &ThemeManager::themeChanged);
  themes.setPortalContrast(1);
  EXPECT_TRUE(themes.theme().highContrast);
  EXPECT_EQ(changed.count(), 1);
  EXPECT_EQ(QApplication::palette().color(QPalette::Base),
            highContrastTheme().palette.color(QPalette::Base));
  themes.setPortalScheme(2);
  EXPECT_TRUE(themes.theme().highContrast) << "contrast comes before the scheme";
  themes.setChoice(ThemeChoice::Light);
  EXPECT_FALSE(themes.theme().highContrast);
  themes.setChoice(ThemeChoice::HighContrast);
  themes.setPortalContrast(0);
  EXPECT_TRUE(themes.theme().highContrast);
  themes.setChoice(ThemeChoice::System);
  EXPECT_FALSE(themes.theme().highContrast);
}

TEST(ThemeChoice, ReadsWhatItWrites) {
  for (const auto choice :
       {ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::HighContrast}) {
    EXPECT_EQ(parseThemeChoice(toText(choice)), choice);
  }
  EXPECT_EQ(parseThemeChoice(QStringLiteral("pink")), std::nullopt);
}

}  // namespace
}  // namespace ulp::views
