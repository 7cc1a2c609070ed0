#include "core/report/tables/number_column.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/text/parse_number.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::report {
namespace {

using numerics::MetricUnit;
using testing::ElementsAre;

std::vector<std::string> column(std::vector<double> values, MetricUnit unit = MetricUnit::None) {
  return formatColumn(values, unit);
}

TEST(NumberColumn, GivesAllCellsTheDecimalsOfTheSmallest) {
  EXPECT_THAT(column({12.3456, 0.0123, 1}), ElementsAre("12.346", "0.012", "1.000"));
  EXPECT_THAT(column({250, 1000}), ElementsAre("250", "1000"));
  EXPECT_THAT(column({7, 250}), ElementsAre("7.0", "250.0"));
}

TEST(NumberColumn, WritesPercents) {
  EXPECT_THAT(column({0.00141, 0.2063}, MetricUnit::Percent), ElementsAre("0.14", "20.63"));
}

TEST(NumberColumn, WritesTinyAndHugeNumbersWithAnExponent) {
  EXPECT_THAT(column({3.1e-12, 0.25}), ElementsAre("3.1e-12", "0.25"));
  EXPECT_THAT(column({1.2e20, 0.25}), ElementsAre("1.2e20", "0.25"));
}

TEST(NumberColumn, ShowsTwoSignificantDigitsOfEveryNumber) {
  for (int power = 0; power < 30; ++power) {
    const double value = 9.9e-9 * std::pow(3.7, power);
    for (const double other : {1e-7, 0.5, 1e5}) {
      const std::string cell = column({value, other})[0];
      const double shown = *parseNumber<double>(cell);
      EXPECT_NEAR(shown, value, 0.051 * value) << cell;
    }
  }
}

TEST(NumberColumn, TellsPartsOfOneFromOne) {
  EXPECT_THAT(formatColumn(std::vector<double>{0.9999941, 1, -0.5}, MetricUnit::None, true),
              ElementsAre("0.9999941", "1.0000000", "-0.5000000"));
  EXPECT_THAT(formatColumn(std::vector<double>{0.99995, 0.5}, MetricUnit::Percent, true),
              ElementsAre("99.9950", "50.0000"));
  EXPECT_THAT(formatColumn(std::vector<double>{1 - 1e-15}, MetricUnit::None, true),
              ElementsAre("1.000000000"));
}

TEST(NumberColumn, TellsApartWhatLiesCloseTogether) {
  EXPECT_THAT(column({13.9591, 13.95712, 13.9614, test::kNan}),
              ElementsAre("13.9591", "13.9571", "13.9614", "–"));
  EXPECT_THAT(column({-20.01, -20.03}), ElementsAre("-20.010", "-20.030"));
  EXPECT_THAT(column({14, 14}), ElementsAre("14", "14"));
  EXPECT_THAT(column({10, 10.2}), ElementsAre("10", "10")) << "two hundredths apart";
  EXPECT_THAT(column({1.5, 1.5 + 1e-12}), ElementsAre("1.500000", "1.500000"));
  EXPECT_THAT(column({0.9999, 0.9998}), ElementsAre("1.00", "1.00"));
  EXPECT_THAT(column({0.050001, 0.050002}, MetricUnit::Percent), ElementsAre("5.0", "5.0"));
}

TEST(NumberColumn, WritesWordsForWhatIsNoNumber) {
  EXPECT_THAT(column({std::nan(""), INFINITY, -INFINITY, 0, 0.5}),
              ElementsAre("–", "+Inf", "−Inf", "0", "0.50"));
  EXPECT_THAT(column({}), ElementsAre());
}

TEST(NumberColumn, CountsNonFiniteElementsByKind) {
  EXPECT_EQ(nonFiniteText({}), "");
  EXPECT_EQ(nonFiniteText({3, 0, 1}), "NaN 3, −Inf 1");
}

TEST(NumberColumn, WritesShapes) {
  EXPECT_EQ(shapeText(std::vector<std::int64_t>{1, 128, 576}), "1×128×576");
  EXPECT_EQ(shapeText({}), "scalar");
}

TEST(NumberColumn, MeasuresCharactersNotBytes) {
  EXPECT_EQ(displayWidth("1×2"), 3U);
}

TEST(NumberColumn, BordersOfExponentsAreWhereTheySay) {
  EXPECT_THAT(column({1e-5}), ElementsAre("0.000010"));
  EXPECT_THAT(column({9.9e-6}), ElementsAre("9.9e-6"));
  EXPECT_THAT(column({9999999}), ElementsAre("9999999"));
  EXPECT_THAT(column({1e7}), ElementsAre("1.0e7"));
  EXPECT_THAT(column({-1e7}), ElementsAre("-1.0e7"));
  EXPECT_THAT(column({std::nan(""), INFINITY}), ElementsAre("–", "+Inf"));
}

TEST(NumberColumn, OnlyWhatIsAbove90PercentIsToldFromOne) {
  const auto parts = [](std::vector<double> values) {
    return formatColumn(values, MetricUnit::None, true);
  };
  EXPECT_THAT(parts({0.9, 0.5}), ElementsAre("0.90", "0.50"));
  EXPECT_THAT(parts({0.901, 1}), ElementsAre("0.901", "1.000"));
}

TEST(Intervals, StandBehindNumbersOfSeveralSamples) {
  const Spread spread{.sd = 0.01, .minimum = 0, .maximum = 1};
  EXPECT_EQ(intervalText(spread, 1, MetricUnit::None), "");
  // t of one degree of freedom is 12.7, by 0.01 / sqrt(2).
  EXPECT_EQ(intervalText(spread, 2, MetricUnit::None), " ±0.090");
  EXPECT_EQ(intervalText(spread, 2, MetricUnit::Percent), " ±9.0");
  Spread gaps = spread;
  gaps.undefined = 1;
  EXPECT_THAT(intervalText(gaps, 4, MetricUnit::None), testing::EndsWith(" (n=3)"));
  gaps.undefined = 9;
  EXPECT_THAT(intervalText(gaps, 4, MetricUnit::None), testing::EndsWith(" (n=0)"));
}

}  // namespace
}  // namespace ulp::report
