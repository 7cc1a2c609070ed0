#include "views/framework/words/elided_text.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <QtGui/QFont>

namespace ulp::views {
namespace {

const QString kProjection = QStringLiteral("model.layers.12.self_attn.q_proj.weight");

QFontMetricsF metrics() {
  return QFontMetricsF(QFont());
}

double widthOf(const QString& text) {
  return metrics().horizontalAdvance(text);
}

/// The name in the room that `text` needs.
QString inRoomOf(const QString& text, const QString& name = kProjection) {
  return elidedName(name, metrics(), widthOf(text));
}

TEST(ElidedName, LosesWhatStandsInFrontThenWhatStandsBehindTheLayer) {
  EXPECT_EQ(inRoomOf(kProjection), kProjection);
  for (const char* form : {"…layers.12.self_attn.q_proj.weight",
                           "…12.self_attn.q_proj.weight",
                           "…12…q_proj.weight",
                           "…12…weight",
                           "…weight"}) {
    EXPECT_EQ(inRoomOf(QString::fromUtf8(form)), QString::fromUtf8(form));
  }
}

TEST(ElidedName, NeverShowsAPartOfANumber) {
  for (const QString& name : {QStringLiteral("model.layers.123456.mlp"),
                              QStringLiteral("decoder.123456"),
                              QStringLiteral("fp123456_and_more"),
                              QStringLiteral("and_more_of_123456")}) {
    for (double width = 0; width <= widthOf(name); ++width) {
      QString shown = elidedName(name, metrics(), width);
      shown.remove(QStringLiteral("123456"));
      EXPECT_FALSE(std::ranges::any_of(shown, [](QChar letter) { return letter.isDigit(); }))
          << shown.toStdString();
    }
  }
}

TEST(ElidedName, APointBetweenDigitsIsAPartOfTheNumber) {
  for (const QString& name :
       {QStringLiteral("rate_0.125_and_more"), QStringLiteral("rate_0.125")}) {
    for (double width = 0; width <= widthOf(name); ++width) {
      QString shown = elidedName(name, metrics(), width);
      shown.remove(QStringLiteral("0.125"));
      EXPECT_FALSE(std::ranges::any_of(shown, [](QChar letter) { return letter.isDigit(); }))
          << shown.toStdString();
    }
  }
}

TEST(ElidedName, KeepsBothEndsOfNamesThatDifferThere) {
  const QString name = QStringLiteral("bf16_with_a_long_name_of_its_own (second)");
  const QString shown = elidedName(name, metrics(), widthOf(name) * 0.7);
  EXPECT_TRUE(shown.startsWith(QStringLiteral("bf16_"))) << shown.toStdString();
  EXPECT_TRUE(shown.endsWith(QStringLiteral("second)"))) << shown.toStdString();
  EXPECT_LE(widthOf(shown), widthOf(name) * 0.7);
  EXPECT_EQ(inRoomOf(QStringLiteral("…run_7/report.json"),
                     QStringLiteral("/home/somebody/studies/run_7/report.json")),
            QStringLiteral("…run_7/report.json"));
}

TEST(ElidedText, ShowsANumberWholeOrNotAtAll) {
  for (const char* number : {"123456.78", "-1.25e-7", "0.0001"}) {
    const QString text = QString::fromLatin1(number);
    EXPECT_EQ(elidedText(text, metrics(), widthOf(text)), text);
    EXPECT_EQ(elidedText(text, metrics(), widthOf(text) - 1), QStringLiteral("…"));
    EXPECT_EQ(elidedNumber(text, metrics(), widthOf(text) / 2), QStringLiteral("…"));
  }
}

TEST(ElidedText, ASentenceLosesItsEndAndNoDigitsOfANumber) {
  const QString text = QStringLiteral("the error grows by 12345 in this layer");
  const QString shown =
      elidedText(text, metrics(), widthOf(QStringLiteral("the error grows by 123…")));
  EXPECT_EQ(shown, QStringLiteral("the error grows by …"));
}

}  // namespace
}  // namespace ulp::views
