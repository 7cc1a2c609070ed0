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
  explicit Warp(double largest) : m_first(HistogramWindow::firstBinFor<kWide>(largest)) {
    for (int thread = 0; thread < kWarp; ++thread) {
      m_counters.emplace_back(m_window, thread, m_histogram.data());
      m_counters.back().moveTo(m_first);
    }
  }
  void count(double difference) {
    for (DifferenceCounter<kWide>& counter : m_counters) {
      counter.count({difference});
    }
  }
  [[nodiscard]] std::uint32_t firstBin() const { return m_first; }
  /// What is in the histogram, without the window's counts until they were moved there.
  [[nodiscard]] std::uint64_t counted() const {
    return std::accumulate(m_histogram.begin(), m_histogram.end(), std::uint64_t{0});
  }
  const std::vector<std::uint64_t>& moveRows() {
    for (std::uint32_t row = 0; row < HistogramWindow::kBins; ++row) {
      m_window.moveRow(row, m_first, m_histogram.data());
    }
    return m_histogram;
  }

 private:
  std::uint32_t m_first;
  HistogramWindow m_window{};
  std::vector<std::uint64_t> m_histogram = std::vector<std::uint64_t>(numerics::kHistogramBins);
  std::vector<DifferenceCounter<kWide>> m_counters;
};

/// A difference in the middle of a bin.
double differenceOf(std::size_t bin) {
  return 0.5 * (numerics::binLowerEdge(bin) + numerics::binLowerEdge(bin + 1));
}

constexpr std::size_t kOne = 1281;  // the bin that begins at 1
constexpr std::size_t kFirst = kOne - HistogramWindow::kBins + HistogramWindow::kSpareBins;
constexpr std::size_t kLast = kFirst + HistogramWindow::kBins - 1;
constexpr std::uint64_t kAll = kWarp;

TEST(HistogramWindow, CountsFourteenOctavesBelowTheLargestAndTwoAbove) {
  ASSERT_EQ(numerics::binLowerEdge(kOne), 1);
  for (const std::size_t bin : {kFirst, kFirst + 1, kFirst + 6, kOne, kLast - 1, kLast}) {
    Warp<false> warp(1.0);
    EXPECT_EQ(warp.firstBin(), kFirst);
    warp.count(differenceOf(bin));
    warp.count(-differenceOf(bin));
    EXPECT_EQ(warp.counted(), 0U) << bin;
    EXPECT_EQ(warp.moveRows()[bin], 2 * kAll) << bin;
    EXPECT_EQ(warp.counted(), 2 * kAll) << bin;
    warp.moveRows();
    EXPECT_EQ(warp.counted(), 2 * kAll) << "counts are moved once";
  }
}

TEST(HistogramWindow, CountsOthersInTheHistogram) {
  for (const std::size_t bin : {std::size_t{80}, kFirst - 1, kLast + 1, kLast + 400}) {
    Warp<false> warp(1.0);
    warp.count(differenceOf(bin));
    EXPECT_EQ(warp.counted(), kAll) << bin;
    EXPECT_EQ(warp.moveRows()[bin], kAll) << bin;
    EXPECT_EQ(warp.counted(), kAll) << bin;
  }
}

TEST(HistogramWindow, DoesNotCountZeros) {
  for (const double largest : {0.0, 0x1p-159, 1.0}) {
    Warp<false> warp(largest);
    warp.count(0.0);
    warp.count(-0.0);
    EXPECT_EQ(warp.moveRows(), std::vector<std::uint64_t>(numerics::kHistogramBins));
  }
}

TEST(HistogramWindow, EndsWhereTheHistogramDoes) {
  constexpr std::size_t kHighest = numerics::kHistogramBins - 1;
  Warp<true> high(0x1p1000);
  EXPECT_EQ(high.firstBin() + HistogramWindow::kBins - 1, kHighest);
  high.count(0x1p1000);
  high.count(differenceOf(kHighest - 5));
  const std::vector<std::uint64_t>& upper = high.moveRows();
  EXPECT_EQ(upper[kHighest], kAll);
  EXPECT_EQ(upper[kHighest - 5], kAll);
  Warp<true> low(0x1p-1074);
  EXPECT_EQ(low.firstBin(), 1U);
  low.count(0x1p-1074);
  low.count(differenceOf(2));
  const std::vector<std::uint64_t>& lower = low.moveRows();
  EXPECT_EQ(lower[1], kAll);
  EXPECT_EQ(lower[2], kAll);
}

}  // namespace
}  // namespace ulp::engine::cuda
