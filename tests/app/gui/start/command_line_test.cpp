#include "app/gui/start/command_line.h"

#include <gtest/gtest.h>

namespace ulp::app {
namespace {

CommandLineResult parse(const QStringList& arguments) {
  return parseCommandLine(QStringList{QStringLiteral("ulpscope")} + arguments);
}

TEST(CommandLine, TakesPaths) {
  const CommandLineResult result = parse({QStringLiteral("a"), QStringLiteral("b.json")});
  ASSERT_FALSE(result.exit.has_value());
  EXPECT_EQ(result.options.paths, (QStringList{QStringLiteral("a"), QStringLiteral("b.json")}));
  EXPECT_FALSE(result.options.isScripted());
  EXPECT_FALSE(result.options.theme.has_value());
}

TEST(CommandLine, TakesEveryOption) {
  const CommandLineResult result = parse({QStringLiteral("--screenshot=out"),
                                          QStringLiteral("--size=640x480"),
                                          QStringLiteral("--scale=2"),
                                          QStringLiteral("--theme=dark"),
                                          QStringLiteral("--reset-settings"),
                                          QStringLiteral("--new-window"),
                                          QStringLiteral("--pseudo-translate")});
  ASSERT_FALSE(result.exit.has_value());
  EXPECT_EQ(result.options.screenshotDir, QStringLiteral("out"));
  EXPECT_EQ(result.options.size, QSize(640, 480));
  EXPECT_DOUBLE_EQ(result.options.scale, 2);
  EXPECT_EQ(result.options.theme, views::ThemeChoice::Dark);
  EXPECT_TRUE(result.options.resetSettings);
  EXPECT_TRUE(result.options.newWindow);
  EXPECT_TRUE(result.options.pseudoTranslate);
  EXPECT_TRUE(result.options.isScripted());
  EXPECT_TRUE(parse({QStringLiteral("--benchmark-start")}).options.benchmarkStart);
  EXPECT_EQ(parse({QStringLiteral("--theme=high-contrast")}).options.theme,
            views::ThemeChoice::HighContrast);
}

TEST(CommandLine, RefusesWhatItDoesNotUnderstand) {
  for (const char* wrong : {"--no-such-option",
                            "--size=big",
                            "--size=1x99999",
                            "--scale=0",
                            "--scale=nan",
                            "--theme=pink",
                            "--screenshot"}) {
    const CommandLineResult result = parse({QLatin1String(wrong)});
    ASSERT_TRUE(result.exit.has_value()) << wrong;
    EXPECT_EQ(result.exit->code, 2) << wrong;
    EXPECT_TRUE(result.exit->text.startsWith(QStringLiteral("ulpscope: "))) << wrong;
  }
}

TEST(CommandLine, ExplainsItself) {
  const CommandLineResult help = parse({QStringLiteral("--help")});
  ASSERT_TRUE(help.exit.has_value());
  EXPECT_EQ(help.exit->code, 0);
  EXPECT_TRUE(help.exit->text.startsWith(QStringLiteral("Usage: ulpscope [options] [PATH…]\n")))
      << help.exit->text.toStdString();
  for (const char* option : {"--benchmark-start", "--screenshot", "--size", "--scale", "--theme"}) {
    EXPECT_TRUE(help.exit->text.contains(QLatin1String(option))) << option;
  }
  const CommandLineResult version = parse({QStringLiteral("--version")});
  ASSERT_TRUE(version.exit.has_value());
  EXPECT_TRUE(version.exit->text.startsWith(QStringLiteral("ulpscope ")));
}

}  // namespace
}  // namespace ulp::app
