#include "core/engine/cuda/histogram_window.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "core/numerics/comparison/comparison.h"

namespace ulp::engine::cuda {
namespace {

/// A warp whose threads count the same differences, each in its turn.
template <bool kWide>
class Warp {
 public:
  explicit Warp(double largest) {
    for (int thread = 0; thread < kWarp; ++thread) {
      m_counters.emplace_back(m_window, thread, m_histogram.data());
      m_counters.back().moveTo(largest);
    }
  }
  void count(double difference) {
    for (DifferenceCounter<kWide>& counter : m_counters) {
      counter.count({difference});
    }
  }
  /// What is in the histogram without the window's counts.
  [[nodiscard]] std::uint32_t countedOutside() const {
    return std::accumulate(m_histogram.begin(), m_histogram.end(), 0U);
  }
  const std::vector<std::uint32_t>& addRows() {
    for (const DifferenceCounter<kWide>& counter : m_counters) {
      counter.addRow(m_window);
    }
    return m_histogram;
  }

 private:
  HistogramWindow m_window{};
  std::vector<std::uint32_t> m_histogram = std::vector<std::uint32_t>(numerics::kHistogramBins);
  std::vector<DifferenceCounter<kWide>> m_counters;
};

/// A difference in the middle of a bin.
double differenceOf(std::size_t bin) {
  return 0.5 * (numerics::binLowerEdge(bin) + numerics::binLowerEdge(bin + 1));
}

constexpr std::size_t kOne = 1281;  // the bin that begins at 1
constexpr std::size_t kFirst = kOne - HistogramWindow::kBins + HistogramWindow::kSpareBins;
constexpr std::size_t kLast = kFirst + HistogramWindow::kBins - 1;

TEST(HistogramWindow, CountsFourteenOctavesBelowTheLargestAndTwoAbove) {
  ASSERT_EQ(numerics::binLowerEdge(kOne), 1);
  for (const std::size_t bin : {kFirst, kFirst + 1, kFirst + 6, kOne, kLast - 1, kLast}) {
    Warp<false> warp(1.0);
    warp.count(differenceOf(bin));
    warp.count(-differenceOf(bin));
    EXPECT_EQ(warp.countedOutside(), 0U) << bin;
    EXPECT_EQ(warp.addRows()[bin], 2U * kWarp) << bin;
    EXPECT_EQ(warp.countedOutside(), 2U * kWarp) << bin;
  }
}

TEST(HistogramWindow, CountsOthersInTheHistogram) {
  for (const std::size_t bin : {std::size_t{80}, kFirst - 1, kLast + 1, kLast + 400}) {
    Warp<false> warp(1.0);
    warp.count(differenceOf(bin));
    EXPECT_EQ(warp.countedOutside(), static_cast<std::uint32_t>(kWarp)) << bin;
    EXPECT_EQ(warp.addRows()[bin], static_cast<std::uint32_t>(kWarp)) << bin;
    EXPECT_EQ(warp.countedOutside(), static_cast<std::uint32_t>(kWarp)) << bin;
  }
}

TEST(HistogramWindow, DoesNotCountZeros) {
  for (const double largest : {0.0, 0x1p-159, 1.0}) {
    Warp<false> warp(largest);
    warp.count(0.0);
    warp.count(-0.0);
    EXPECT_EQ(warp.addRows(), std::vector<std::uint32_t>(numerics::kHistogramBins));
  }
}

TEST(HistogramWindow, KeepsAsManyCountsAsAThreadMakesOfAChunk) {
  Warp<false> warp(1.0);
  for (int i = 0; i < HistogramWindow::kMostCounts; ++i) {
    for (const std::size_t bin : {kOne, kOne + 1, kOne + 2, kOne + 3}) {
      warp.count(differenceOf(bin));
    }
  }
  const std::vector<std::uint32_t>& histogram = warp.addRows();
  constexpr std::uint32_t kEach = HistogramWindow::kMostCounts * kWarp;
  EXPECT_EQ(std::vector<std::uint32_t>(histogram.begin() + kOne - 1, histogram.begin() + kOne + 5),
            (std::vector<std::uint32_t>{0, kEach, kEach, kEach, kEach, 0}));
}

TEST(HistogramWindow, EndsWhereTheHistogramDoes) {
  constexpr std::size_t kHighest = numerics::kHistogramBins - 1;
  const auto each = static_cast<std::uint32_t>(kWarp);
  Warp<true> high(0x1p1000);
  high.count(0x1p1000);
  high.count(differenceOf(kHighest - 5));
  const std::vector<std::uint32_t>& upper = high.addRows();
  EXPECT_EQ(upper[kHighest], each);
  EXPECT_EQ(upper[kHighest - 5], each);
  Warp<true> low(0x1p-1074);
  low.count(0x1p-1074);
  low.count(differenceOf(2));
  const std::vector<std::uint32_t>& lower = low.addRows();
  EXPECT_EQ(lower[1], each);
  EXPECT_EQ(lower[2], each);
}

}  // namespace
}  // namespace ulp::engine::cuda
