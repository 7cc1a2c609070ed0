#pragma once

#include <cstdint>

#include "core/engine/cuda/pair_arithmetic.h"
#ifdef __CUDACC__
#include "core/engine/cuda/shared_add.cuh"
#endif

/// How the threads of a block count their differences. Counters that a warp's threads share take a
/// turn for each bin that the warp meets at once, some twenty of them. Nearly all differences of a
/// tensor lie within a few octaves, so there each thread of a warp has counters of its own, in a
/// bank of its own.
namespace ulp::engine::cuda {

inline constexpr int kWarp = 32;

/// Adds to a counter that other threads count with, too.
ULP_HOST_DEVICE inline void addCount(std::uint64_t& counter, std::uint32_t count) {
#ifdef __CUDA_ARCH__
  atomicAdd(reinterpret_cast<unsigned long long*>(&counter), count);
#else
  counter += count;
#endif
}

/// Counts of neighbouring bins: a row of words for each, a column for each thread of a warp. The
/// last row is for differences outside and is not read: to count them takes less than to ask.
struct HistogramWindow {
  static constexpr std::uint32_t kBins = 128;
  /// Above the largest difference that is known: it may not be the largest.
  static constexpr std::uint32_t kSpareBins = 2 * numerics::kHistogramBinsPerOctave;

  std::uint32_t counts[kBins + 1][kWarp];

  /// The first bin where differences up to `largest` are counted, and some octaves below.
  template <bool kWide>
  ULP_HOST_DEVICE static std::uint32_t firstBinFor(double largest) {
    constexpr std::uint32_t kHighest = numerics::kHistogramBins - kBins;
    constexpr std::uint32_t kBelow = kBins - kSpareBins;
    const std::uint32_t bin = binOf<kWide>(largest);
    const std::uint32_t first = bin > kBelow ? bin - kBelow : 1;
    return first < kHighest ? first : kHighest;
  }

  /// Adds the counts of a row, that of bin `first` + row, to the histogram and clears them. Threads
  /// that are neighbours and do it with neighbouring rows begin at neighbouring banks.
  ULP_HOST_DEVICE void moveRow(std::uint32_t row, std::uint32_t first, std::uint64_t* histogram) {
    std::uint32_t count = 0;
    ULP_UNROLL_FOUR
    for (std::uint32_t i = 0; i < kWarp; ++i) {
      std::uint32_t& own = counts[row][(row + i) % kWarp];
      count += own;
      own = 0;
    }
    if (count != 0) {
      addCount(histogram[first + row], count);
    }
  }
};

/// One thread's way to count. Zeros are not counted.
template <bool kWide>
class DifferenceCounter {
 public:
  /// The window is that of the thread's block, the column the thread's in its warp; all blocks have
  /// one histogram.
  ULP_HOST_DEVICE DifferenceCounter(HistogramWindow& window, int column, std::uint64_t* histogram)
      : m_histogram(histogram) {
#ifdef __CUDA_ARCH__
    m_column = static_cast<std::uint32_t>(__cvta_generic_to_shared(&window.counts[0][column]));
#else
    m_window = &window;
    m_column = static_cast<std::uint32_t>(column);
#endif
  }

  /// Where the window begins.
  ULP_HOST_DEVICE void moveTo(std::uint32_t firstBin) {
    m_first = keyOfBin(firstBin);
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
#ifdef __CUDA_ARCH__
    constexpr int kRowShift = kKeyShift - 7;  // rows of 128 bytes
    addInSharedMemory((place >> kRowShift) + m_column, m_one);
#else
    m_window->counts[place >> kKeyShift][m_column] += 1;
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

  std::uint64_t* m_histogram;
  std::uint32_t m_first = keyOfBin(1);
  std::uint32_t m_column;
#ifdef __CUDA_ARCH__
  /// One. Of a known one the compiler would make an instruction that takes threads with different
  /// addresses one after the other.
  std::uint32_t m_one = blockDim.z;
#else
  HistogramWindow* m_window;
#endif
};

}  // namespace ulp::engine::cuda
