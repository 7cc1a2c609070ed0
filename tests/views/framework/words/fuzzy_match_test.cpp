#include "views/framework/words/fuzzy_match.h"

#include <ctime>

#include <gtest/gtest.h>

#include "tests/support/window/stall_listener.h"

namespace ulp::views {
namespace {

std::vector<int> positionsOf(const char16_t* query, const char16_t* text) {
  return FuzzyQuery(QString::fromUtf16(query)).positions(text);
}

QString bestOf(const std::vector<QString>& texts, const QString& query) {
  const FuzzyResult result = FuzzyIndex(texts).search(query, 1);
  return result.best.empty() ? QString() : texts[static_cast<std::size_t>(result.best[0].index)];
}

/// Names as a report of many layers and variants has them.
std::vector<QString> manyNames(int count) {
  static const std::vector<QString> kModules{QStringLiteral("self_attn.q_proj"),
                                             QStringLiteral("self_attn.o_proj"),
                                             QStringLiteral("mlp.down_proj"),
                                             QStringLiteral("mlp.gate_proj"),
                                             QStringLiteral("input_layernorm")};
  std::vector<QString> names;
  for (int i = 0; i < count; ++i) {
    names.push_back(QStringLiteral("model.layers.%1.%2.expert_%3")
                        .arg(i % 126)
                        .arg(kModules[static_cast<std::size_t>(i) % kModules.size()])
                        .arg(i / 630));
  }
  return names;
}

/// Processor time of this thread: other load on the machine does not count.
double threadMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

TEST(FuzzyQuery, MatchesLettersInOrderOnly) {
  const FuzzyQuery query(QStringLiteral("dwp"));
  EXPECT_TRUE(query.score(u"mlp.down_proj").has_value());
  EXPECT_FALSE(query.score(u"proj_down").has_value());
  EXPECT_FALSE(query.score(u"dw").has_value());
}

TEST(FuzzyQuery, EveryWordMustOccurInAnyOrder) {
  const FuzzyQuery query(QStringLiteral("mlp 11"));
  EXPECT_TRUE(query.score(u"layers.11.mlp").has_value());
  EXPECT_FALSE(query.score(u"layers.12.mlp").has_value());
}

TEST(FuzzyQuery, NamesTheLettersThatMatched) {
  EXPECT_EQ(positionsOf(u"down", u"mlp.down_proj"), (std::vector<int>{4, 5, 6, 7}));
  EXPECT_EQ(positionsOf(u"mdp", u"mlp.down_proj"), (std::vector<int>{0, 4, 9}));
  EXPECT_EQ(positionsOf(u"o", u"foo.o"), (std::vector<int>{4})) << "where a word begins";
  EXPECT_EQ(positionsOf(u"proj mlp", u"mlp.proj"), (std::vector<int>{0, 1, 2, 4, 5, 6, 7}));
  EXPECT_TRUE(positionsOf(u"xyz", u"mlp.down_proj").empty());
}

TEST(FuzzyQuery, TakesTheTightestPlaceOfScatteredLetters) {
  EXPECT_EQ(positionsOf(u"ac", u"a.xab-c"), (std::vector<int>{3, 6}));
}

TEST(FuzzyIndex, PutsTheMostObviousFirst) {
  EXPECT_EQ(
      bestOf({QStringLiteral("decoder.1"), QStringLiteral("decoder.11")}, QStringLiteral("dec11")),
      QStringLiteral("decoder.11"));
  EXPECT_EQ(bestOf({QStringLiteral("View: Depth of logits"), QStringLiteral("File: Open…")},
                   QStringLiteral("op")),
            QStringLiteral("File: Open…"));
  EXPECT_EQ(
      bestOf({QStringLiteral("model.norm.weight"), QStringLiteral("norm")}, QStringLiteral("norm")),
      QStringLiteral("norm"));
}

TEST(FuzzyIndex, IgnoresCaseInBothTextAndQuery) {
  EXPECT_EQ(bestOf({QStringLiteral("BF16_FP32")}, QStringLiteral("bf16")),
            QStringLiteral("BF16_FP32"));
  EXPECT_EQ(bestOf({QStringLiteral("größe")}, QStringLiteral("GRÖ")), QStringLiteral("größe"));
  EXPECT_EQ(bestOf({QStringLiteral("残差 半精度")}, QStringLiteral("半")),
            QStringLiteral("残差 半精度"));
}

TEST(FuzzyIndex, WithoutAQueryListsEverythingInOrder) {
  const FuzzyResult result = FuzzyIndex(manyNames(50)).search(QStringLiteral("  "), 10);
  EXPECT_EQ(result.matched.size(), 50U);
  ASSERT_EQ(result.best.size(), 10U);
  EXPECT_EQ(result.best[9].index, 9);
  EXPECT_TRUE(FuzzyIndex().search(QStringLiteral("a"), 10).best.empty());
}

TEST(FuzzyIndex, ALongerQueryLooksOnlyAtWhatTheShorterOneLeft) {
  const FuzzyIndex index(manyNames(20000));
  const FuzzyResult first = index.search(QStringLiteral("11"), 50);
  const FuzzyResult second = index.search(QStringLiteral("11.mlp"), 50, &first);
  const FuzzyResult afresh = index.search(QStringLiteral("11.mlp"), 50);
  EXPECT_EQ(first.examined, 20000U);
  EXPECT_EQ(second.examined, first.matched.size());
  EXPECT_LT(second.examined, 20000U);
  EXPECT_EQ(second.matched, afresh.matched);
  const FuzzyResult other = index.search(QStringLiteral("mlp"), 50, &second);
  EXPECT_EQ(other.examined, 20000U) << "not a continuation";
}

TEST(FuzzyIndex, StopsWhenAsked) {
  const FuzzyIndex index(manyNames(20000));
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(index.search(QStringLiteral("m"), 5, nullptr, source.get_token()).examined, 0U);
}

TEST(FuzzyIndex, AnswersEachKeyOverTwoHundredThousandNamesInFiftyMilliseconds) {
  const FuzzyIndex index(manyNames(200000));
  FuzzyResult previous;
  bool isFirst = true;
  const QString typed = QStringLiteral("l11mlpdown3");
  for (qsizetype length = 1; length <= typed.size(); ++length) {
    const double start = threadMilliseconds();
    FuzzyResult result = index.search(typed.left(length), 200, isFirst ? nullptr : &previous);
    const double spent = threadMilliseconds() - start;
#ifdef NDEBUG
    EXPECT_LT(spent, test::kStallLimitMs * test::slowness()) << typed.left(length).toStdString();
#endif
    EXPECT_GE(spent, 0);
    EXPECT_FALSE(result.best.empty());
    previous = std::move(result);
    isFirst = false;
  }
}

}  // namespace
}  // namespace ulp::views
