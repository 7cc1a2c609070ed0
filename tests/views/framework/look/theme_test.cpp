#include "views/framework/look/theme.h"

#include <cstdlib>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "views/framework/widgets/severity.h"

namespace ulp::views {
namespace {

TEST(ContrastRatio, FollowsTheDefinition) {
  EXPECT_NEAR(contrastRatio(Qt::white, Qt::black), 21, 1e-3);
  EXPECT_NEAR(contrastRatio(QColor(0x777777), Qt::white), 4.48, 0.01);
}

std::vector<Theme> allThemes() {
  return {lightTheme(), darkTheme(), highContrastTheme()};
}

std::string nameOf(const Theme& theme) {
  return theme.highContrast ? "high contrast" : (theme.dark ? "dark" : "light");
}

/// WCAG 2.2: 1.4.3 (AA) in ordinary themes, 1.4.6 (AAA) in the one for high contrast.
double textRatio(const Theme& theme) {
  return theme.highContrast ? 7 : 4.5;
}
/// 1.4.11; the palette that light charts are held to has its faintest colour at 2:1 and is never
/// alone: every variant has a marker and a dash as well.
double lineRatio(const Theme& theme) {
  return theme.highContrast ? 4.5 : (theme.dark ? 3 : 2);
}

TEST(Theme, EveryColourOfEveryThemeIsSet) {
  for (const Theme& theme : allThemes()) {
    for (const QColor& color : {theme.chartBackground,
                                theme.grid,
                                theme.gridStrong,
                                theme.axisText,
                                theme.reference,
                                theme.nonFinite,
                                theme.dimText,
                                theme.emphasis,
                                theme.fine,
                                theme.look,
                                theme.broken}) {
      EXPECT_TRUE(color.isValid()) << nameOf(theme);
    }
  }
}

TEST(Theme, TextCanBeReadInEveryTheme) {
  for (const Theme& theme : allThemes()) {
    for (const QColor& text : {theme.palette.color(QPalette::Text),
                               theme.dimText,
                               theme.axisText,
                               theme.nonFinite,
                               theme.fine,
                               theme.look,
                               theme.broken,
                               theme.palette.color(QPalette::Link),
                               theme.palette.color(QPalette::Disabled, QPalette::Text)}) {
      for (const QColor& background :
           {theme.palette.color(QPalette::Base), theme.palette.color(QPalette::AlternateBase)}) {
        EXPECT_GE(contrastRatio(text, background), textRatio(theme))
            << text.name().toStdString() << ' ' << nameOf(theme);
      }
    }
  }
}

TEST(Theme, EveryRoleOfThePaletteCanBeReadOnItsGround) {
  using Pair = std::pair<QPalette::ColorRole, QPalette::ColorRole>;
  for (const Theme& theme : allThemes()) {
    for (const auto& [text, ground] : {Pair{QPalette::WindowText, QPalette::Window},
                                       Pair{QPalette::PlaceholderText, QPalette::Window},
                                       Pair{QPalette::PlaceholderText, QPalette::Base},
                                       Pair{QPalette::ButtonText, QPalette::Button},
                                       Pair{QPalette::ToolTipText, QPalette::ToolTipBase}}) {
      EXPECT_GE(contrastRatio(theme.palette.color(text), theme.palette.color(ground)),
                textRatio(theme))
          << text << ' ' << nameOf(theme);
    }
    EXPECT_GE(contrastRatio(theme.palette.color(QPalette::HighlightedText),
                            theme.palette.color(QPalette::Highlight)),
              theme.highContrast ? 7 : 4.0)
        << nameOf(theme);
    EXPECT_GE(contrastRatio(theme.palette.color(QPalette::Text), theme.emphasis), textRatio(theme))
        << nameOf(theme);
  }
}

TEST(Theme, LinesStandOutFromTheirBackground) {
  for (const Theme& theme : allThemes()) {
    for (const QColor& color : theme.variants) {
      EXPECT_GE(contrastRatio(color, theme.chartBackground), lineRatio(theme))
          << color.name().toStdString() << ' ' << nameOf(theme);
    }
    EXPECT_GE(contrastRatio(theme.reference, theme.chartBackground), theme.highContrast ? 4.5 : 3);
    EXPECT_GE(contrastRatio(theme.palette.color(QPalette::Highlight),
                            theme.palette.color(QPalette::Window)),
              theme.highContrast ? 4.5 : 3)
        << nameOf(theme) << ": the ring around what has the focus";
  }
  const Theme& high = highContrastTheme();
  EXPECT_GE(contrastRatio(high.gridStrong, high.chartBackground), 4.5);
  EXPECT_GE(contrastRatio(high.grid, high.chartBackground), 3);
  EXPECT_GE(contrastRatio(high.palette.color(QPalette::Mid), high.chartBackground), 4.5);
}

TEST(Theme, VariantsDifferFromOneAnotherInEveryTheme) {
  for (const Theme& theme : allThemes()) {
    for (std::size_t a = 0; a < theme.variants.size(); ++a) {
      for (std::size_t b = a + 1; b < theme.variants.size(); ++b) {
        const QColor& x = theme.variants.at(a);
        const QColor& y = theme.variants.at(b);
        const int distance = std::abs(x.red() - y.red()) + std::abs(x.green() - y.green()) +
                             std::abs(x.blue() - y.blue());
        EXPECT_GE(distance, 48) << x.name().toStdString() << y.name().toStdString();
      }
    }
  }
}

TEST(Theme, FirstSixtyFourVariantsDifferInLook) {
  std::set<std::tuple<QRgb, int>> looks;
  for (int i = 0; i < 64; ++i) {
    const VariantStyle style = lightTheme().variantStyle(i);
    looks.insert({style.color.rgb(), static_cast<int>(style.marker)});
  }
  EXPECT_EQ(looks.size(), 64U);
}

TEST(Theme, VariantKeepsItsShapeInEveryTheme) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(lightTheme().variantStyle(i).marker, darkTheme().variantStyle(i).marker);
    EXPECT_EQ(lightTheme().variantStyle(i).dashes, darkTheme().variantStyle(i).dashes);
    EXPECT_EQ(lightTheme().variantStyle(i).marker, highContrastTheme().variantStyle(i).marker);
    EXPECT_EQ(lightTheme().variantStyle(i).dashes, highContrastTheme().variantStyle(i).dashes);
  }
}

TEST(Severity, HasAShapeAndAWordOfItsOwn) {
  std::set<QString> glyphs;
  std::set<QString> words;
  for (const auto severity : {Severity::Fine, Severity::Look, Severity::Broken}) {
    glyphs.insert(severityGlyph(severity));
    words.insert(severityWord(severity));
    EXPECT_EQ(lightTheme().severityColor(severity).isValid(), true);
  }
  EXPECT_EQ(glyphs.size(), 3U);
  EXPECT_EQ(words.size(), 3U);
  std::set<QString> states;
  for (const auto status : {report::RunStatus::Pending,
                            report::RunStatus::Running,
                            report::RunStatus::Finished,
                            report::RunStatus::Failed,
                            report::RunStatus::Cancelled}) {
    states.insert(runStateText(status).glyph + runStateText(status).word);
  }
  EXPECT_EQ(states.size(), 5U);
}

}  // namespace
}  // namespace ulp::views
