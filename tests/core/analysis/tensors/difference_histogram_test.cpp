#include "core/analysis/tensors/difference_histogram.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

namespace ulp::analysis {
namespace {

using Set = std::vector<double>;

DifferenceHistogram histogramOf(const std::vector<Set>& sets, std::size_t bins) {
  const std::vector<std::span<const double>> views(sets.begin(), sets.end());
  return differenceHistogram(views, bins);
}

std::uint64_t total(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

TEST(DifferenceHistogram, HasBinsOfARoundWidthWithAnEdgeAtZero) {
  const DifferenceHistogram histogram = histogramOf({{-0.031, 0.0, 0.0179, 0.002}}, 10);
  EXPECT_DOUBLE_EQ(histogram.width, 0.005);
  EXPECT_DOUBLE_EQ(histogram.edge(0), -0.035);
  ASSERT_EQ(histogram.bins(), 11U);
  EXPECT_EQ(histogram.edge(7), 0);
  EXPECT_EQ(histogram.counts[0][0], 1U);
  EXPECT_EQ(histogram.counts[0][7], 2U) << "zero and 0.002";
  EXPECT_EQ(histogram.counts[0][10], 1U);
  EXPECT_EQ(histogram.binOf(-0.031), 0U);
  EXPECT_EQ(histogram.binOf(-1), 0U);
  EXPECT_EQ(histogram.binOf(7), 10U);
  EXPECT_EQ(histogram.largestCount(), 2U);
}

TEST(DifferenceHistogram, WidthsAreRoundedUpToOneTwoOrFive) {
  const auto width = [](double span) { return histogramOf({{0, span}}, 1).width; };
  EXPECT_DOUBLE_EQ(width(0.9), 1);
  EXPECT_DOUBLE_EQ(width(1), 1);
  EXPECT_DOUBLE_EQ(width(1.1), 2);
  EXPECT_DOUBLE_EQ(width(2), 2);
  EXPECT_DOUBLE_EQ(width(2.1), 5);
  EXPECT_DOUBLE_EQ(width(5), 5);
  EXPECT_DOUBLE_EQ(width(5.1), 10);
  EXPECT_DOUBLE_EQ(width(0.3), 0.5) << "not a rounding above it";
  EXPECT_DOUBLE_EQ(histogramOf({{0, 10}}, 4).width, 5);
}

TEST(DifferenceHistogram, CountsSetsInTheSameBins) {
  const DifferenceHistogram histogram = histogramOf({{-1, 1, 1}, {0.5}, {}}, 4);
  ASSERT_EQ(histogram.counts.size(), 3U);
  EXPECT_EQ(histogram.counts[1].size(), histogram.bins());
  EXPECT_EQ(total(histogram.counts[0]), 3U);
  EXPECT_EQ(total(histogram.counts[1]), 1U);
  EXPECT_EQ(total(histogram.counts[2]), 0U);
}

TEST(DifferenceHistogram, LeavesOutWhatIsNotFinite) {
  const double nan = std::nan("");
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(total(histogramOf({{nan, 1, -infinite, 2, infinite}}, 8).counts[0]), 2U);
  EXPECT_EQ(histogramOf({{nan}, {}}, 8).bins(), 0U);
  EXPECT_EQ(differenceHistogram({}).bins(), 0U);
}

TEST(DifferenceHistogram, HoldsValuesThatAreAllEqual) {
  for (const double value : {0.0, 0.25, -3e-300, 1e300}) {
    const DifferenceHistogram histogram = histogramOf({{value, value}}, 8);
    ASSERT_EQ(histogram.bins(), 1U) << value;
    EXPECT_EQ(histogram.counts[0][0], 2U);
    EXPECT_LE(histogram.edge(0), value);
    EXPECT_GT(histogram.edge(1), value);
  }
}

TEST(DifferenceHistogram, HoldsTheLargestAndSmallestNumbers) {
  const double most = std::numeric_limits<double>::max();
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(total(histogramOf({{-most, most, 0}}, 80).counts[0]), 3U);
  EXPECT_EQ(total(histogramOf({{-least, least}}, 80).counts[0]), 2U);
}

}  // namespace
}  // namespace ulp::analysis
