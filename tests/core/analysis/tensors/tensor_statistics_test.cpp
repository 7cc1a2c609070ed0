#include "core/analysis/tensors/tensor_statistics.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/special_numbers.h"

namespace ulp::analysis {
namespace {

numerics::TensorView doublesOf(const std::vector<double>& values) {
  return {values.data(), DType::Float64, {static_cast<std::int64_t>(values.size())}};
}

using test::kInfinity;

TEST(TensorStatistics, AreOverFiniteElements) {
  const std::vector<double> values{3, -4, 0, std::nan(""), kInfinity, -kInfinity, -kInfinity};
  const TensorStatistics result = statisticsOf(doublesOf(values));
  EXPECT_EQ(result.count, 7U);
  EXPECT_EQ(result.zeros, 1U);
  EXPECT_EQ(result.nonFinite, (numerics::NonFiniteCounts{1, 1, 2}));
  EXPECT_EQ(result.minimum, -4);
  EXPECT_EQ(result.maximum, 3);
  EXPECT_DOUBLE_EQ(result.mean, -1.0 / 3);
  EXPECT_DOUBLE_EQ(result.rms, std::sqrt(25.0 / 3));
}

TEST(TensorStatistics, AreUndefinedWithoutAFiniteElement) {
  const std::vector<double> values{std::nan("")};
  for (const TensorStatistics& result :
       {statisticsOf(doublesOf(values)), statisticsOf(doublesOf({}))}) {
    EXPECT_TRUE(std::isnan(result.minimum));
    EXPECT_TRUE(std::isnan(result.mean));
    EXPECT_TRUE(std::isnan(result.rms));
  }
}

TEST(TensorStatistics, ReadIntegersAndHalves) {
  const std::vector<std::int64_t> ids{5, 7};
  EXPECT_EQ(statisticsOf(numerics::TensorView{ids.data(), DType::Int64, {2}}).mean, 6);
  const std::vector<std::uint16_t> ones{0x3F80, 0x4000};
  EXPECT_EQ(statisticsOf(numerics::TensorView{ones.data(), DType::BFloat16, {2}}).maximum, 2);
}

TEST(Histogram, CountsFiniteElementsByValue) {
  const std::vector<double> values{0, 0.1, 0.9, 1, 0.5, std::nan("")};
  const TensorStatistics statistics = statisticsOf(doublesOf(values));
  const Histogram histogram = histogramOf(doublesOf(values), statistics, 4);
  EXPECT_THAT(histogram.counts, testing::ElementsAre(2, 0, 1, 2));
  EXPECT_DOUBLE_EQ(histogram.lowerEdge(2), 0.5);
  EXPECT_DOUBLE_EQ(histogram.lowerEdge(4), 1);
}

TEST(Histogram, HasOneBinOfEqualElementsAndNoneOfNothing) {
  const std::vector<double> same{2, 2};
  EXPECT_THAT(histogramOf(doublesOf(same), statisticsOf(doublesOf(same)), 8).counts,
              testing::ElementsAre(2));
  const std::vector<double> nan{std::nan("")};
  EXPECT_TRUE(histogramOf(doublesOf(nan), statisticsOf(doublesOf(nan)), 8).counts.empty());
}

TEST(Histogram, SpansTheWholeRangeOfDoubles) {
  constexpr double kMax = std::numeric_limits<double>::max();
  const std::vector<double> values{-kMax, 0, kMax};
  EXPECT_THAT(histogramOf(doublesOf(values), statisticsOf(doublesOf(values)), 2).counts,
              testing::ElementsAre(1, 2));
}

}  // namespace
}  // namespace ulp::analysis
