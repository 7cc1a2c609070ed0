#include "views/framework/words/filter_text.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace ulp::views {
namespace {

std::vector<FilterComparison> comparisonsIn(const QString& text, QString* rest = nullptr) {
  std::vector<FilterComparison> all;
  const QString left = takeComparisons(text, [&](const FilterComparison& one) {
    all.push_back(one);
    return one.name != QStringLiteral("name");
  });
  if (rest != nullptr) {
    *rest = left;
  }
  return all;
}

TEST(FilterText, TakesComparisonsAndLeavesTheWords) {
  QString rest;
  const auto found =
      comparisonsIn(QStringLiteral("mlp nan>0 \"RMS rel\" <= 3 % name=x layer ≥ -2.5e1"), &rest);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].name, QStringLiteral("nan"));
  EXPECT_EQ(found[0].number, 0.0);
  EXPECT_EQ(found[1].name, QStringLiteral("RMS rel"));
  EXPECT_EQ(found[1].written, QStringLiteral("3 %"));
  EXPECT_EQ(found[1].number, 3.0);
  EXPECT_FALSE(found[2].number.has_value());
  EXPECT_EQ(found[3].number, -25.0);
  EXPECT_EQ(filterWords(rest), (QStringList{QStringLiteral("mlp"), QStringLiteral("name=x")}));
}

TEST(FilterText, EverySignComparesAndNoValueFulfilsNothing) {
  struct Sign {
    const char* text;
    bool below;
    bool equal;
    bool above;
  };
  for (const Sign& sign : {Sign{"<", true, false, false},
                           {"<=", true, true, false},
                           {"≤", true, true, false},
                           {">", false, false, true},
                           {">=", false, true, true},
                           {"≥", false, true, true},
                           {"=", false, true, false},
                           {"==", false, true, false},
                           {"!=", true, false, true},
                           {"≠", true, false, true}}) {
    const auto found = comparisonsIn(QStringLiteral("a%1 2").arg(QString::fromUtf8(sign.text)));
    ASSERT_EQ(found.size(), 1U) << sign.text;
    EXPECT_EQ(found[0].holdsFor(1), sign.below) << sign.text;
    EXPECT_EQ(found[0].holdsFor(2), sign.equal) << sign.text;
    EXPECT_EQ(found[0].holdsFor(3), sign.above) << sign.text;
    EXPECT_FALSE(found[0].holdsFor(std::numeric_limits<double>::quiet_NaN())) << sign.text;
  }
}

TEST(FilterText, QuotesKeepBlanksAndOneAloneIsALetter) {
  EXPECT_EQ(filterWords(QStringLiteral("a \"b c\" d\"e")),
            (QStringList{QStringLiteral("a"), QStringLiteral("b c"), QStringLiteral("d\"e")}));
  EXPECT_EQ(filterWords(QStringLiteral(" \"\" ")), QStringList());
}

}  // namespace
}  // namespace ulp::views
