#pragma once

#include <cstdint>

#include "core/engine/cuda/pair_arithmetic.h"

/// How the threads of a warp count their differences. Counters that threads share take a turn for
/// each bin that a warp meets at once, some twenty of them. Nearly all differences of a chunk lie
/// within a few octaves, so each thread counts those by itself, in a bank of its own.
namespace ulp::engine::cuda {

inline constexpr int kWarp = 32;

/// Counts of neighbouring bins, of a byte each: a row of words for four bins, a column for each
/// thread.
struct HistogramWindow {
  static constexpr std::uint32_t kBins = 128;
  static constexpr int kBinsOfRow = 4;
  static constexpr int kRows = kBins / kBinsOfRow;
  /// Above the largest difference that is known: it may not be the largest.
  static constexpr std::uint32_t kSpareBins = 2 * numerics::kHistogramBinsPerOctave;
  /// What a thread counts before its column is added to the histogram.
  static constexpr int kMostCounts = 255;

  /// The last row is for differences outside and is not read: to count them takes less than to ask.
  std::uint32_t words[kRows + 1][kWarp];
};
static_assert(HistogramWindow::kRows == kWarp);

/// The bytes of the words of a row, added up.
struct RowCounts {
  std::uint32_t even = 0;  ///< bins 0 and 2, 16 bits each
  std::uint32_t odd = 0;   ///< bins 1 and 3

  ULP_HOST_DEVICE void add(std::uint32_t word) {
    even += word & 0x00FF00FFU;
    odd += word >> 8 & 0x00FF00FFU;
  }
  [[nodiscard]] ULP_HOST_DEVICE std::uint32_t of(int bin) const {
    return (bin % 2 == 0 ? even : odd) >> (bin / 2 * 16) & 0xFFFFU;
  }
};

ULP_HOST_DEVICE inline void addCount(std::uint32_t& counter, std::uint32_t count) {
#ifdef __CUDA_ARCH__
  atomicAdd(&counter, count);
#else
  counter += count;
#endif
}

/// One thread's counts of differences. Zeros are not counted.
template <bool kWide>
class DifferenceCounter {
 public:
  /// Windows and histogram are those of the thread's warp and block.
  ULP_HOST_DEVICE DifferenceCounter(HistogramWindow& window, int thread, std::uint32_t* histogram)
      : m_histogram(histogram), m_thread(thread) {
#ifdef __CUDA_ARCH__
    m_column = static_cast<std::uint32_t>(__cvta_generic_to_shared(&window.words[0][thread]));
#else
    m_window = &window;
#endif
  }

  /// Moves the window to differences up to `largest`, the same for all threads of a warp, and some
  /// octaves below. It must hold no counts.
  ULP_HOST_DEVICE void moveTo(double largest) {
    constexpr std::uint32_t kHighest = numerics::kHistogramBins - HistogramWindow::kBins;
    constexpr std::uint32_t kBelow = HistogramWindow::kBins - HistogramWindow::kSpareBins;
    const std::uint32_t bin = binOf<kWide>(largest);
    const std::uint32_t first = bin > kBelow ? bin - kBelow : 1;
    m_first = keyOfBin(first < kHighest ? first : kHighest);
  }

  template <int kCount>
  ULP_HOST_DEVICE void count(const double (&differences)[kCount]) {
    bool isOutside = false;
    for (const double difference : differences) {
      const std::uint32_t place = keyOf(difference) - m_first;
      countInside(place);
      isOutside |= (place >= kPlaces) & isCounted(difference);
    }
    if (isOutside) {
      countOutside(differences);
    }
  }

  /// Adds a row of the window to the histogram, the row of the thread, when all threads of the warp
  /// have counted.
  ULP_HOST_DEVICE void addRow(const HistogramWindow& window) const {
    RowCounts counts;
    ULP_UNROLL_FOUR
    for (int i = 0; i < kWarp; ++i) {
      // Neighbours begin at neighbouring banks.
      counts.add(window.words[m_thread][(m_thread + i) % kWarp]);
    }
    std::uint32_t* const bins =
        m_histogram + (m_first >> kKeyShift) - kZeroKey + m_thread * HistogramWindow::kBinsOfRow;
    for (int bin = 0; bin < HistogramWindow::kBinsOfRow; ++bin) {
      if (counts.of(bin) != 0) {
        addCount(bins[bin], counts.of(bin));
      }
    }
  }

 private:
  static constexpr std::uint32_t kPlaces = HistogramWindow::kBins << kKeyShift;

  ULP_HOST_DEVICE static bool isCounted(double difference) {
    if constexpr (kWide) {
      return difference != 0;
    } else {
      // No difference of 24-bit numbers is below the lowest edge.
      return keyOf(difference) > kZeroKey << kKeyShift;
    }
  }

  ULP_HOST_DEVICE void countInside(std::uint32_t place) {
    place = place < kPlaces ? place : kPlaces;
    // In bytes: rows of four bins, then the column.
    const std::uint32_t row = place >> (kKeyShift - 5) & ~127U;
#ifdef __CUDA_ARCH__
    // The lower five bits of the distance count.
    const std::uint32_t one = __funnelshift_l(0U, 1U, place >> (kKeyShift - 3));
    asm volatile("red.shared.add.u32 [%0], %1;" : : "r"(m_column + row), "r"(one) : "memory");
#else
    m_window->words[row / 128][m_thread] += 1U << (place >> (kKeyShift - 3) & 31);
#endif
  }

  template <int kCount>
  ULP_HOST_DEVICE void countOutside(const double (&differences)[kCount]) {
    for (const double difference : differences) {
      if (keyOf(difference) - m_first >= kPlaces && isCounted(difference)) {
        addCount(m_histogram[binOf<kWide>(difference)], 1);
      }
    }
  }

  std::uint32_t* m_histogram;
  int m_thread;
  std::uint32_t m_first = keyOfBin(1);
#ifdef __CUDA_ARCH__
  std::uint32_t m_column;
#else
  HistogramWindow* m_window;
#endif
};

}  // namespace ulp::engine::cuda
