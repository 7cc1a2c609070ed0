#include "core/report/model/spread.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/data/special_numbers.h"

namespace ulp::report {
namespace {

using test::kInfinity;
using test::kNan;

struct Series {
  double mean = 0;
  Spread spread;
  std::uint64_t samples = 0;
};

Series seriesOf(const std::vector<double>& values) {
  Series series{values.front(), spreadOf(values.front()), 1};
  for (std::size_t i = 1; i < values.size(); ++i) {
    addSample(series.mean, series.spread, series.samples++, values[i]);
  }
  return series;
}

TEST(Spread, IsMeanDeviationAndExtremesOfAllSamples) {
  const Series series = seriesOf({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_DOUBLE_EQ(series.mean, 5);
  EXPECT_NEAR(series.spread.sd, std::sqrt(32.0 / 7), 1e-15);
  EXPECT_EQ(series.spread.minimum, 2);
  EXPECT_EQ(series.spread.maximum, 9);
  EXPECT_EQ(series.spread.undefined, 0U);
  // 2.3646242515927853 is Student's t of seven degrees of freedom.
  EXPECT_NEAR(halfInterval(series.spread, 8),
              2.3646242515927853 * std::sqrt(32.0 / 7) / std::sqrt(8.0),
              1e-14);
}

TEST(Spread, OfOneSampleHasNoDeviation) {
  const Series series = seriesOf({3});
  EXPECT_TRUE(std::isnan(series.spread.sd));
  EXPECT_EQ(series.spread.minimum, 3);
  EXPECT_TRUE(std::isnan(halfInterval(series.spread, 1)));
  EXPECT_FALSE(isSystematic(3, series.spread, 1));
}

TEST(Spread, CountsSamplesThatAreNotFiniteAndAveragesTheOthers) {
  for (const std::vector<double>& values :
       {std::vector<double>{kNan, 1, 3}, {1, kNan, 3}, {1, 3, kInfinity}}) {
    const Series series = seriesOf(values);
    EXPECT_EQ(series.mean, 2);
    EXPECT_DOUBLE_EQ(series.spread.sd, std::sqrt(2.0));
    EXPECT_EQ(series.spread.undefined, 1U);
  }
}

TEST(Spread, WithoutAFiniteSampleTheMeanIsWhatAllHaveInCommon) {
  EXPECT_EQ(seriesOf({kInfinity, kInfinity}).mean, kInfinity);
  EXPECT_TRUE(std::isnan(seriesOf({kInfinity, -kInfinity}).mean));
  EXPECT_TRUE(std::isnan(seriesOf({kNan, kInfinity}).mean));
  EXPECT_EQ(seriesOf({kInfinity, kInfinity}).spread.undefined, 2U);
}

TEST(Spread, IsSystematicWhenItsIntervalExcludesZero) {
  const Series oneSided = seriesOf({1, 1.1, 0.9, 1.05});
  EXPECT_TRUE(isSystematic(oneSided.mean, oneSided.spread, 4));
  EXPECT_TRUE(isSystematic(-oneSided.mean, oneSided.spread, 4));
  const Series around = seriesOf({1, -1, 0.9, -0.8});
  EXPECT_FALSE(isSystematic(around.mean, around.spread, 4));
}

}  // namespace
}  // namespace ulp::report
