#include "views/framework/words/wrapped_text.h"

#include <gtest/gtest.h>

#include <QtCore/QRegularExpression>

#include "views/framework/exports/figure.h"

namespace ulp::views {
namespace {

QStringList wrappedAt(const char* text, const char* widest) {
  const QFontMetricsF metrics(figureFont());
  return wrappedText(
      QString::fromUtf8(text), metrics, metrics.horizontalAdvance(QString::fromUtf8(widest)) + 1);
}

TEST(WrappedText, BreaksAtBlanksFirst) {
  EXPECT_EQ(wrappedAt("grows at decoder.11", "grows at dec"),
            (QStringList{QStringLiteral("grows at"), QStringLiteral("decoder.11")}));
  EXPECT_EQ(wrappedAt("short", "shorter"), QStringList{QStringLiteral("short")});
}

TEST(WrappedText, BreaksLongNamesBehindTheirSeparators) {
  EXPECT_EQ(wrappedAt("model.layers.31.self_attn.q_proj", "model.layers.31.sel"),
            (QStringList{QStringLiteral("model.layers.31."), QStringLiteral("self_attn.q_proj")}));
}

TEST(WrappedText, KeepsNumbersWholeAndWithTheirUnit) {
  EXPECT_EQ(wrappedAt("from 1.25 % to 3.1416 %", "from 1.25 "),
            (QStringList{
                QStringLiteral("from"), QStringLiteral("1.25 % to"), QStringLiteral("3.1416 %")}));
  for (const QString& line : wrappedAt("abcdefgh12345678ijkl", "abcdefgh123")) {
    EXPECT_TRUE(line.contains(QStringLiteral("12345678")) ||
                !line.contains(QRegularExpression(QStringLiteral("\\d"))))
        << line.toStdString();
  }
}

TEST(WrappedText, LosesNothing) {
  const char* text = "a_very/long.name-of:something[input.1] and more, with 0.5 %";
  for (const char* width : {"a", "a_v", "a_very/l", "a_very/long.name-"}) {
    QString joined = wrappedAt(text, width).join(QString());
    EXPECT_EQ(joined.remove(u' '), QString::fromUtf8(text).remove(u' ')) << width;
  }
}

}  // namespace
}  // namespace ulp::views
