#include "views/framework/theme.h"

#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "views/framework/severity.h"

namespace ulp::views {
namespace {

TEST(ContrastRatio, FollowsTheDefinition) {
  EXPECT_NEAR(contrastRatio(Qt::white, Qt::black), 21, 1e-3);
  EXPECT_NEAR(contrastRatio(QColor(0x777777), Qt::white), 4.48, 0.01);
}

TEST(Theme, TextCanBeReadInBothThemes) {
  for (const Theme& theme : {lightTheme(), darkTheme()}) {
    const QColor base = theme.palette.color(QPalette::Base);
    const QColor window = theme.palette.color(QPalette::Window);
    for (const QColor& color : {theme.palette.color(QPalette::Text),
                                theme.dimText,
                                theme.axisText,
                                theme.nonFinite,
                                theme.fine,
                                theme.look,
                                theme.broken}) {
      EXPECT_GE(contrastRatio(color, base), 4.5) << color.name().toStdString() << theme.dark;
    }
    EXPECT_GE(contrastRatio(theme.palette.color(QPalette::WindowText), window), 4.5);
    EXPECT_GE(contrastRatio(theme.palette.color(QPalette::PlaceholderText), window), 4.5);
    EXPECT_GE(contrastRatio(theme.palette.color(QPalette::HighlightedText),
                            theme.palette.color(QPalette::Highlight)),
              4.0);
    EXPECT_GE(contrastRatio(theme.palette.color(QPalette::Text), theme.emphasis), 4.5);
  }
}

TEST(Theme, DarkCurvesStandOutFromTheirBackground) {
  for (const QColor& color : darkTheme().variants) {
    EXPECT_GE(contrastRatio(color, darkTheme().chartBackground), 4.5);
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

TEST(Theme, VariantKeepsItsShapeInBothThemes) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(lightTheme().variantStyle(i).marker, darkTheme().variantStyle(i).marker);
    EXPECT_EQ(lightTheme().variantStyle(i).dashes, darkTheme().variantStyle(i).dashes);
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
