#include "views/framework/words/metric_text.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <QtCore/QStringList>

#include "tests/support/data/special_numbers.h"

namespace ulp::views {
namespace {

using test::kInfinity;
using test::kNan;

MetricInfo percent() {
  MetricInfo info;
  info.label = QStringLiteral("RMS rel");
  info.unit = numerics::MetricUnit::Percent;
  return info;
}

MetricInfo linear() {
  MetricInfo info;
  info.label = QStringLiteral("Cosine");
  info.scale = numerics::MetricScale::Linear;
  info.better = numerics::Better::Higher;
  return info;
}

QStringList column(const std::vector<double>& values, const MetricInfo& metric) {
  const ColumnFormat format(values, metric);
  QStringList texts;
  for (const double value : values) {
    texts << format.text(value);
  }
  return texts;
}

TEST(MetricText, WritesUnitsIntoTheHeader) {
  EXPECT_EQ(metricHeader(percent()), QStringLiteral("RMS rel, %"));
  EXPECT_EQ(metricText(0.199, percent()), QStringLiteral("19.9"));
  EXPECT_EQ(metricTextWithUnit(0.199, percent()), QStringLiteral("19.9\u202f%"));
  MetricInfo ulp;
  ulp.label = QStringLiteral("Max ULP");
  ulp.unit = numerics::MetricUnit::Ulp;
  EXPECT_EQ(metricHeader(ulp), QStringLiteral("Max ULP"));
}

TEST(MetricText, NeverShowsAMissingValueAsZero) {
  EXPECT_EQ(metricText(kNan, percent()), missingText());
  EXPECT_EQ(metricTextWithUnit(kNan, percent()), missingText());
  EXPECT_EQ(metricText(kInfinity, percent()), QStringLiteral("+Inf"));
  EXPECT_EQ(exactText(kNan), QString());
  EXPECT_EQ(ColumnFormat().text(kNan), missingText());
  EXPECT_EQ(ColumnFormat().text(-kInfinity), QStringLiteral("−Inf"));
}

/// No-break spaces, which stand for the digits that a number does not have.
QString room(int characters) {
  return QString(characters, QChar::Nbsp);
}

TEST(ColumnFormat, PutsDecimalPointsUnderEachOther) {
  EXPECT_EQ(column({0.199, 0.0123, 0.00072}, percent()),
            (QStringList{QStringLiteral("19.9") + room(2),
                         QStringLiteral("1.23") + room(1),
                         QStringLiteral("0.072")}));
}

TEST(ColumnFormat, UsesExponentsForSmallNumbersAlone) {
  EXPECT_EQ(column({1e-9, 3.25}, percent()),
            (QStringList{QStringLiteral("1.0e-7") + room(1), QStringLiteral("325") + room(6)}));
}

TEST(ColumnFormat, ShowsHowFarACosineIsFromOne) {
  EXPECT_EQ(column({0.999987, 0.9991}, linear()),
            (QStringList{QStringLiteral("0.9999870"), QStringLiteral("0.9991000")}));
}

TEST(ColumnFormat, WritesAnExactZeroAsZero) {
  EXPECT_EQ(column({0, 0.5, kNan}, percent()),
            (QStringList{QStringLiteral("0") + room(2), QStringLiteral("50.0"), missingText()}));
  EXPECT_EQ(column({0, 0}, percent()), (QStringList{QStringLiteral("0"), QStringLiteral("0")}));
}

TEST(ColumnFormat, SpellsAValueAsReadOutsDoWhateverStandsBesideIt) {
  MetricInfo plain;
  plain.label = QStringLiteral("RMS diff");
  MetricInfo decibel = linear();
  decibel.unit = numerics::MetricUnit::Decibel;
  for (const MetricInfo& metric : {percent(), plain, linear(), decibel}) {
    for (const double value : {0.123456, -3.25, 1e-9, 47.7, 12345.6, 0.00012345}) {
      for (const double neighbour : {value, 1e-12, 2.0, 1e9}) {
        EXPECT_EQ(column({neighbour, value}, metric).at(1).trimmed(), metricText(value, metric));
      }
    }
  }
  EXPECT_EQ(metricText(38.2164, decibel), QStringLiteral("38.2"));
}

TEST(DrawnMetric, IsTheDistanceOfACosineFromOne) {
  MetricInfo cosine = linear();
  cosine.isDrawnFromOne = true;
  const MetricInfo drawn = asDrawn(cosine);
  EXPECT_EQ(drawn.label, QStringLiteral("1 − Cosine"));
  EXPECT_EQ(drawn.scale, numerics::MetricScale::Logarithmic);
  EXPECT_EQ(drawn.better, numerics::Better::Lower);
  EXPECT_DOUBLE_EQ(asDrawn(0.75, cosine), 0.25);
  EXPECT_EQ(asDrawn(1 + 1e-15, cosine), 0) << "rounding";
  EXPECT_TRUE(std::isnan(asDrawn(kNan, cosine)));
  EXPECT_EQ(asDrawn(kInfinity, cosine), kInfinity);
  EXPECT_EQ(asDrawn(0.25, drawn), 0.25) << "once";
  EXPECT_EQ(asDrawn(percent()).label, percent().label);
}

TEST(MetricHelp, SaysWhichDirectionIsBetter) {
  EXPECT_TRUE(metricHelp(percent()).contains(QStringLiteral("Lower")));
  EXPECT_TRUE(metricHelp(linear()).contains(QStringLiteral("Higher")));
}

}  // namespace
}  // namespace ulp::views
