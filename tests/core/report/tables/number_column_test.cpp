#include "core/report/tables/number_column.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/text/parse_number.h"

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

}  // namespace
}  // namespace ulp::report
