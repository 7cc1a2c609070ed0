#include <memory>

#include <gtest/gtest.h>

#include <QtGui/QFontMetrics>

#include "tests/support/window/stall_listener.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  if (!qEnvironmentVariableIsSet("FONTCONFIG_FILE")) {
    qputenv("FONTCONFIG_FILE", ULP_SOURCE_DIR "/tests/support/fonts.conf");
  }
  ulp::views::ResponsiveApplication app(argc, argv);
  // Fonts are looked for at their first use. Where that cannot be cached it takes longer than an
  // event may.
  static_cast<void>(QFontMetrics(QApplication::font()).horizontalAdvance(QStringLiteral("a 数")));
  // GoogleTest takes ownership; behind its own listeners, so that it ends a test before they do.
  testing::UnitTest::GetInstance()->listeners().Append(
      std::make_unique<ulp::test::StallListener>(app).release());
  return RUN_ALL_TESTS();
}
