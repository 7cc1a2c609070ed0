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

const QStringList kAlike{QStringLiteral("a_long_common_prefix_bf16_common_suffix"),
                         QStringLiteral("a_long_common_prefix_fp16_common_suffix"),
                         QStringLiteral("a_long_common_prefix_fp32_common_suffix")};

TEST(ElidedNames, KeepTheMiddleThatTellsThemApart) {
  const QStringList shown = elidedNames(kAlike, metrics(), widthOf(QStringLiteral("…fp16…")) + 1);
  EXPECT_EQ(shown.join(u' '), QStringLiteral("…bf16… …fp16… …fp32…"));
}

TEST(ElidedNames, ShowHowTheyBeginAndEndWhereThereIsRoom) {
  const double room = widthOf(QStringLiteral("a_long…fp16…suffix"));
  for (const QString& shown : elidedNames(kAlike, metrics(), room)) {
    EXPECT_TRUE(shown.startsWith(QStringLiteral("a"))) << shown.toStdString();
    EXPECT_TRUE(shown.endsWith(QStringLiteral("suffix"))) << shown.toStdString();
    EXPECT_LE(widthOf(shown), room);
  }
  EXPECT_EQ(elidedNames(kAlike, metrics(), 1e4), kAlike);
}

TEST(ElidedNames, KeepEachWordThatTellsFromAnyOther) {
  const QStringList names{QStringLiteral("bf16_and_the_rest_as_it_was_lr0.1_of_many_samples"),
                          QStringLiteral("bf16_and_the_rest_as_it_was_lr0.2_of_many_samples"),
                          QStringLiteral("fp16_and_the_rest_as_it_was_lr0.1_of_many_samples")};
  const QStringList shown = elidedNames(names, metrics(), widthOf(QStringLiteral("bf16…lr0.1…s")));
  EXPECT_EQ(shown[0], QStringLiteral("bf16…lr0.1…"));
  EXPECT_EQ(shown[1], QStringLiteral("…lr0.2…").prepend(QStringLiteral("bf16")))
      << "as room allows";
  EXPECT_TRUE(shown[2].startsWith(QStringLiteral("fp16"))) << shown[2].toStdString();
}

TEST(ElidedNames, ThatDifferAnyhowAreShortenedOneByOne) {
  const QStringList names{kProjection, QStringLiteral("model.layers.13.self_attn.q_proj.weight")};
  EXPECT_EQ(elidedNames(names, metrics(), widthOf(QStringLiteral("…12…q_proj.weight"))).join(u' '),
            QStringLiteral("…12…q_proj.weight …13…q_proj.weight"));
}

TEST(ElidedNames, WithoutRoomForWhatTellsThemApartAreShortenedAsOne) {
  const QStringList shown = elidedNames(kAlike, metrics(), widthOf(QStringLiteral("…fp")));
  for (const QString& name : shown) {
    EXPECT_LE(widthOf(name), widthOf(QStringLiteral("…fp"))) << name.toStdString();
  }
}

TEST(ElidedFacts, LoseThePathThatIsTooLong) {
  const QString facts =
      QStringLiteral("/home/somebody/models/of/last/year/SmolLM2-135M · 128 tokens · 2026-11-27");
  const QString shown = elidedFacts(facts, metrics(), widthOf(facts) * 0.7);
  EXPECT_TRUE(shown.endsWith(QStringLiteral("SmolLM2-135M · 128 tokens · 2026-11-27")))
      << shown.toStdString();
  EXPECT_TRUE(shown.startsWith(QStringLiteral("…"))) << shown.toStdString();
  EXPECT_LE(widthOf(shown), widthOf(facts) * 0.7);
  EXPECT_EQ(elidedFacts(facts, metrics(), widthOf(facts)), facts);
  EXPECT_LE(widthOf(elidedFacts(facts, metrics(), 40)), 40);
}

TEST(ElidedFacts, LoseTheEndOfASentenceBeforeANameLosesAnything) {
  const QString facts = QStringLiteral(
      "SmolLM2-135M-Instruct.Q4_1.gguf · 1 sample, 1 sequence of 64 tokens, 64 labels · "
      "2026-11-27");
  const QString shown = elidedFacts(facts, metrics(), widthOf(facts) * 0.75);
  EXPECT_TRUE(shown.startsWith(QStringLiteral("SmolLM2-135M-Instruct.Q4_1.gguf · 1 sample, 1 s")))
      << shown.toStdString();
  EXPECT_TRUE(shown.endsWith(QStringLiteral("… · 2026-11-27"))) << shown.toStdString();
}

TEST(ElidedText, OfTwoEqualNamesEachIsShortenedForItself) {
  const QString equal = QStringLiteral("opt_bf16_everywhere = grad_bf16_everywhere");
  EXPECT_EQ(elidedNames({equal}, metrics(), widthOf(equal)), QStringList{equal});
  const double room = widthOf(equal) * 0.6;
  const QString shown = elidedNames({equal}, metrics(), room).at(0);
  const QStringList sides = shown.split(QStringLiteral(" = "));
  ASSERT_EQ(sides.size(), 2) << shown.toStdString();
  EXPECT_TRUE(sides[0].startsWith(QStringLiteral("opt")) && sides[0].contains(u'…'))
      << shown.toStdString();
  EXPECT_TRUE(sides[1].startsWith(QStringLiteral("grad")) && sides[1].contains(u'…'))
      << shown.toStdString();
  EXPECT_LE(widthOf(shown), room);
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

TEST(ElidedText, ASentenceKeepsItsNumberAndLosesTheFrontOfAName) {
  const QString sentence = QStringLiteral("model.layers.0.self_attn.o_proj (0 → 2.69 %)");
  const QString shown = QStringLiteral("…0…o_proj (0 → 2.69 %)");
  EXPECT_EQ(elidedText(sentence, metrics(), widthOf(shown) + 1), shown);
  EXPECT_EQ(elidedText(QStringLiteral("not finite from model.layers.0.mlp on"),
                       metrics(),
                       widthOf(QStringLiteral("not finite from …0.mlp on")) + 1),
            QStringLiteral("not finite from …0.mlp on"));
  EXPECT_TRUE(elidedText(sentence, metrics(), widthOf(QStringLiteral("…o_proj (0 →…")))
                  .startsWith(QStringLiteral("…o_proj")));
}

}  // namespace
}  // namespace ulp::views
