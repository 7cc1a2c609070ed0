#pragma once

#include <cstdint>

#include "core/engine/cuda/pair_arithmetic.h"

/// What one lane of a run does with its pairs, and what the lanes of a block find together. The
/// order of all sums is that of numerics::compare(): see kRun and kLanes there.
namespace ulp::engine::cuda {

inline constexpr std::uint64_t kChunk = numerics::Comparer::kChunkElements;
inline constexpr int kRun = static_cast<int>(numerics::detail::kRun);
inline constexpr int kLanes = static_cast<int>(numerics::detail::kLanes);
inline constexpr int kRunsOfChunk = static_cast<int>(kChunk) / kRun;
/// Neighbours, whose elements a thread reads at once.
inline constexpr int kLanesOfThread = 2;
/// Rows whose pairs are tested together.
inline constexpr int kRowsAtOnce = 2;
inline constexpr int kSums = 6;

/// The sums of Moments, in its order. Also what a chunk comes to.
struct Sums {
  double squaredReference = 0;
  double squaredCandidate = 0;
  double product = 0;
  double squaredDifference = 0;
  double absoluteDifference = 0;
  double ulp = 0;
};
static_assert(sizeof(Sums) == kSums * sizeof(double));

/// What an element is. Of a pair: kElementKinds * kind of the reference + kind of the candidate.
enum ElementKind : int { kFinite, kNaN, kPositiveInfinity, kNegativeInfinity };
inline constexpr int kElementKinds = 4;
inline constexpr int kPairKinds = kElementKinds * kElementKinds;

ULP_HOST_DEVICE inline int kindOf(double value) {
  if (isFiniteNumber(value)) {
    return kFinite;
  }
  return value != value ? kNaN : value > 0 ? kPositiveInfinity : kNegativeInfinity;
}

/// What the threads of a block find together, in any order: in shared memory on the device.
struct BlockFindings {
  double largestOfChunk[2];  ///< |d|; chunks of a block take turns
  double largestRelative;
  double largestUlp;
  /// Pairs that are not compared. 32 bits: a block meets fewer pairs.
  std::uint32_t excluded[kPairKinds];
  std::uint32_t histogram[numerics::kHistogramBins];
};

ULP_HOST_DEVICE inline void countOne(std::uint32_t& counter) {
#ifdef __CUDA_ARCH__
  atomicAdd(&counter, 1U);
#else
  ++counter;
#endif
}

/// Counts of what threads of a block meet, addressed by bytes.
class Counters {
 public:
  ULP_HOST_DEVICE explicit Counters(std::uint32_t* counters) {
#ifdef __CUDA_ARCH__
    m_address = static_cast<std::uint32_t>(__cvta_generic_to_shared(counters));
    // Kept, not computed again where it is used.
    asm volatile("" : "+r"(m_address));
#else
    m_counters = counters;
#endif
  }

  ULP_HOST_DEVICE void count(std::uint32_t offset) const {
#ifdef __CUDA_ARCH__
    asm volatile("red.shared.add.u32 [%0], 1;" : : "r"(m_address + offset) : "memory");
#else
    m_counters[offset / sizeof(*m_counters)] += 1;
#endif
  }

 private:
#ifdef __CUDA_ARCH__
  std::uint32_t m_address;
#else
  std::uint32_t* m_counters;
#endif
};

/// As another thread may have left it.
ULP_HOST_DEVICE inline double sharedValue(const double& value) {
  return *static_cast<const volatile double*>(&value);
}

/// Makes `largest` at least `value`, which is not negative and not NaN.
ULP_HOST_DEVICE inline void raise(double& largest, double value) {
#ifdef __CUDA_ARCH__
  auto* const address = reinterpret_cast<unsigned long long*>(&largest);
  unsigned long long known = *static_cast<volatile unsigned long long*>(address);
  // Doubles that are not negative are ordered as their bits are.
  while (known < bitsOf(value)) {
    const unsigned long long before = atomicCAS(address, known, bitsOf(value));
    if (before == known) {
      return;
    }
    known = before;
  }
#else
  largest = value > largest ? value : largest;
#endif
}

/// A pair with |d| > relativeBound * |r|, rounded, or none, has a larger |d| / |r| than `largest`.
/// The product is exact for a power of two; else the bound is a few units lower.
ULP_HOST_DEVICE inline double relativeBoundOf(double largest) {
  const bool isPowerOfTwo = (bitsOf(largest) & 0xFFFFFFFFFFFFFULL) == 0;
  return isPowerOfTwo ? largest : largest * (1 - 0x1p-50);
}

/// What one thread does with the pairs of its lanes.
template <bool kWide>
class LanePass {
 public:
  /// The findings are those of the thread's block.
  ULP_HOST_DEVICE LanePass(UlpScale scale, BlockFindings& findings)
      : m_scale(scale), m_findings(&findings), m_histogram(findings.histogram) {}

  /// Reads what others found since: often at the beginning of a chunk, rarely otherwise.
  ULP_HOST_DEVICE void refresh() {
    m_relative = relativeBoundOf(sharedValue(m_findings->largestRelative));
    m_ulps = sharedValue(m_findings->largestUlp);
  }

  /// The pairs of a thread's lanes in rows that follow each other. `turn` is that of the chunk in
  /// BlockFindings. `elements.read(row, reference, candidate)` gives those of a row, and
  /// `elements.read(row, lane, reference, candidate)` one of them once more.
  template <class Elements>
  ULP_HOST_DEVICE void add(const Elements& elements, Sums (&sums)[kLanesOfThread], int turn) {
    Pair pairs[kRowsAtOnce][kLanesOfThread];
    const double largest = largestBound(turn);
    bool areWithin = true;
    for (int row = 0; row < kRowsAtOnce; ++row) {
      double reference[kLanesOfThread];
      double candidate[kLanesOfThread];
      elements.read(row, reference, candidate);
      for (int lane = 0; lane < kLanesOfThread; ++lane) {
        pairs[row][lane] = pairOf(reference[lane], candidate[lane]);
        areWithin &= isWithin(pairs[row][lane], largest);
      }
    }
    if (!areWithin) {
      const std::uint32_t excluded = inspect(elements, turn);
      for (int row = 0; row < kRowsAtOnce; ++row) {
        for (int lane = 0; lane < kLanesOfThread; ++lane) {
          if ((excluded >> (row * kLanesOfThread + lane) & 1) != 0) {
            pairs[row][lane] = {0, 0, 0, 0};
          }
        }
      }
    }
    for (int row = 0; row < kRowsAtOnce; ++row) {
      for (int lane = 0; lane < kLanesOfThread; ++lane) {
        accumulate(pairs[row][lane], sums[lane]);
        m_histogram.count(counterOffset<kWide>(pairs[row][lane].difference));
      }
    }
  }

 private:
  struct Pair {
    double reference;
    double candidate;
    double difference;
    double ulps;
  };

  ULP_HOST_DEVICE Pair pairOf(double reference, double candidate) const {
    double difference = candidate - reference;
#ifdef __CUDA_ARCH__
    // Kept, not computed again where it is used.
    asm("" : "+d"(difference));
#endif
    return {reference,
            candidate,
            difference,
            ulpsOf<kWide>(magnitudeOf(difference), reference, m_scale)};
  }

  /// A pair with a larger |d| changes the largest of its chunk, or one of it is not finite.
  ULP_HOST_DEVICE double largestBound(int turn) const {
    const double largest = sharedValue(m_findings->largestOfChunk[turn]);
    if constexpr (kWide) {
      // Finite, so that every infinite difference is inspected: it may be of an infinite element.
      constexpr double kMax = 0x1.fffffffffffffp1023;
      return largest < kMax ? largest : kMax;
    } else {
      return largest;
    }
  }

  /// Whether a pair changes nothing but sums and the histogram. No difference that is NaN does.
  ULP_HOST_DEVICE bool isWithin(const Pair& pair, double largest) const {
    const double magnitude = magnitudeOf(pair.difference);
    // Bit by bit: three tests and one branch.
    return (magnitude <= largest) & (magnitude <= relativeBound(pair.reference)) &
           (pair.ulps <= m_ulps);
  }

  ULP_HOST_DEVICE double relativeBound(double reference) const {
    const double product = m_relative * magnitudeOf(reference);
    if constexpr (kWide) {
      // It may have been rounded up from a subnormal number.
      return product > 0 ? doubleOf(bitsOf(product) - 1) : product;
    } else {
      return product;
    }
  }

  /// Looks at each pair. Returns a bit for each that is not compared, lane after lane.
  template <class Elements>
  ULP_HOST_DEVICE std::uint32_t inspect(const Elements& elements, int turn) {
    std::uint32_t excluded = 0;
    ULP_DO_NOT_UNROLL
    for (int i = 0; i < kRowsAtOnce * kLanesOfThread; ++i) {
      double reference = 0;
      double candidate = 0;
      elements.read(i / kLanesOfThread, i % kLanesOfThread, reference, candidate);
      excluded |= inspectOne(reference, candidate, turn) ? 0U : 1U << i;
    }
    refresh();
    return excluded;
  }

  /// Whether the pair is compared.
  ULP_HOST_DEVICE bool inspectOne(double reference, double candidate, int turn) const {
    const int kind = kindOf(reference) * kElementKinds + kindOf(candidate);
    if (kind != kFinite) {
      countOne(m_findings->excluded[kind]);
      return false;
    }
    const Pair pair = pairOf(reference, candidate);
    const double magnitude = magnitudeOf(pair.difference);
    raise(m_findings->largestOfChunk[turn], magnitude);
    raise(m_findings->largestUlp, pair.ulps);
    if (reference != 0 && !(magnitude <= relativeBound(reference))) {
      raise(m_findings->largestRelative, magnitude / magnitudeOf(reference));
    }
    return true;
  }

  ULP_HOST_DEVICE static void accumulate(const Pair& pair, Sums& sums) {
    const auto& [r, v, d, ulps] = pair;
    sums.squaredReference = addProduct(r, r, sums.squaredReference);
    sums.squaredCandidate = addProduct(v, v, sums.squaredCandidate);
    sums.product = addProduct(r, v, sums.product);
    sums.squaredDifference = addProduct(d, d, sums.squaredDifference);
    sums.absoluteDifference += magnitudeOf(d);
    sums.ulp += ulps;
  }

  UlpScale m_scale;
  BlockFindings* m_findings;
  Counters m_histogram;
  double m_relative = 0;
  double m_ulps = 0;
};

}  // namespace ulp::engine::cuda
