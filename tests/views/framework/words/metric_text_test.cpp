#include "views/framework/words/metric_text.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <QtCore/QStringList>

namespace ulp::views {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

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
  EXPECT_EQ(metricText(kInf, percent()), QStringLiteral("+Inf"));
  EXPECT_EQ(exactText(kNan), QString());
  EXPECT_EQ(ColumnFormat().text(kNan), missingText());
  EXPECT_EQ(ColumnFormat().text(-kInf), QStringLiteral("−Inf"));
}

TEST(ColumnFormat, KeepsOneDecimalPositionAndTwoDigits) {
  EXPECT_EQ(
      column({0.199, 0.0123, 0.00072}, percent()),
      (QStringList{QStringLiteral("19.900"), QStringLiteral("1.230"), QStringLiteral("0.072")}));
}

TEST(ColumnFormat, UsesExponentsOverManyDecades) {
  EXPECT_EQ(column({1e-9, 3.25}, percent()),
            (QStringList{QStringLiteral("1.00e-07"), QStringLiteral("3.25e+02")}));
}

TEST(ColumnFormat, ShowsHowFarACosineIsFromOne) {
  EXPECT_EQ(column({0.999987, 0.9991}, linear()),
            (QStringList{QStringLiteral("0.999987"), QStringLiteral("0.999100")}));
}

TEST(ColumnFormat, WritesAnExactZeroAsZero) {
  EXPECT_EQ(column({0, 0.5, kNan}, percent()),
            (QStringList{QStringLiteral("0"), QStringLiteral("50.00"), missingText()}));
  EXPECT_EQ(column({0, 0}, percent()), (QStringList{QStringLiteral("0"), QStringLiteral("0")}));
}

TEST(MetricHelp, SaysWhichDirectionIsBetter) {
  EXPECT_TRUE(metricHelp(percent()).contains(QStringLiteral("Lower")));
  EXPECT_TRUE(metricHelp(linear()).contains(QStringLiteral("Higher")));
}

}  // namespace
}  // namespace ulp::views
