#pragma once

#include <cstdint>

#include "core/engine/cuda/histogram_window.h"

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
  double largestRelative;
  double largestUlp;
  /// Pairs that are not compared. 32 bits: a block meets fewer pairs.
  std::uint32_t excluded[kPairKinds];
};

ULP_HOST_DEVICE inline void countOne(std::uint32_t& counter) {
#ifdef __CUDA_ARCH__
  atomicAdd(&counter, 1U);
#else
  ++counter;
#endif
}

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
  /// The findings are those of the thread's block, the counter is its own.
  ULP_HOST_DEVICE LanePass(UlpScale scale,
                           BlockFindings& findings,
                           const DifferenceCounter<kWide>& counter)
      : m_scale(scale), m_findings(&findings), m_counter(counter) {}

  /// Where the differences are counted.
  ULP_HOST_DEVICE DifferenceCounter<kWide>& counter() { return m_counter; }

  /// Reads what others found since: often at the beginning of a chunk, rarely otherwise.
  ULP_HOST_DEVICE void refresh() {
    m_relative = relativeBoundOf(sharedValue(m_findings->largestRelative));
    m_ulps = sharedValue(m_findings->largestUlp);
  }

  /// The pairs of a thread's lanes in rows that follow each other. `elements.read(row, reference,
  /// candidate)` gives those of a row, and `elements.read(row, lane, reference, candidate)` one of
  /// them once more.
  template <class Elements>
  ULP_HOST_DEVICE void add(const Elements& elements, Sums (&sums)[kLanesOfThread]) {
    Pair pairs[kPairs];
    bool areWithin = true;
    for (int row = 0; row < kRowsAtOnce; ++row) {
      double reference[kLanesOfThread];
      double candidate[kLanesOfThread];
      elements.read(row, reference, candidate);
      for (int lane = 0; lane < kLanesOfThread; ++lane) {
        Pair& pair = pairs[row * kLanesOfThread + lane];
        pair = pairOf(reference[lane], candidate[lane]);
        areWithin &= isWithin(pair);
      }
    }
    if (!areWithin) {
      const std::uint32_t excluded = inspect(elements);
      for (int i = 0; i < kPairs; ++i) {
        if ((excluded >> i & 1) != 0) {
          pairs[i] = {0, 0, 0, 0};
        }
      }
    }
    double differences[kPairs];
    for (int i = 0; i < kPairs; ++i) {
      const double difference = pairs[i].difference = kept(pairs[i].difference);
      accumulate(pairs[i], sums[i % kLanesOfThread]);
      m_largest = magnitudeOf(difference) > magnitudeOf(m_largest) ? difference : m_largest;
      differences[i] = difference;
    }
    m_counter.count(differences);
  }

  /// The largest |d| since it was taken last.
  ULP_HOST_DEVICE double takeLargest() {
    const double largest = magnitudeOf(m_largest);
    m_largest = 0;
    return largest;
  }

 private:
  static constexpr int kPairs = kRowsAtOnce * kLanesOfThread;

  struct Pair {
    double reference;
    double candidate;
    double difference;
    double ulps;
  };

  /// A difference that is not computed again where it is used, and whose magnitude is a part of the
  /// instructions that take it.
  ULP_HOST_DEVICE static double kept(double difference) {
#ifdef __CUDA_ARCH__
    asm("" : "+d"(difference));
#endif
    return difference;
  }

  ULP_HOST_DEVICE Pair pairOf(double reference, double candidate) const {
    const double difference = kept(candidate - reference);
    return {reference,
            candidate,
            difference,
            ulpsOf<kWide>(magnitudeOf(difference), reference, m_scale)};
  }

  /// Whether a pair changes nothing but sums, the histogram and the largest |d|: no difference that
  /// is NaN does, and none that is infinite since an element is.
  ULP_HOST_DEVICE bool isWithin(const Pair& pair) const {
    const double magnitude = magnitudeOf(pair.difference);
    // Bit by bit: few tests and one branch.
    const bool isWithin = (magnitude <= relativeBound(pair.reference)) & (pair.ulps <= m_ulps);
    if constexpr (kWide) {
      // Here finite elements may have an infinite difference, and as many ULPs.
      return isWithin & (magnitude <= 0x1.fffffffffffffp1023);
    } else {
      return isWithin;
    }
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

  /// Looks at each pair. Returns a bit for each that is not compared.
  template <class Elements>
  ULP_HOST_DEVICE std::uint32_t inspect(const Elements& elements) {
    std::uint32_t excluded = 0;
    double largestUlp = 0;
    double largestRelative = 0;
    ULP_DO_NOT_UNROLL
    for (int i = 0; i < kPairs; ++i) {
      double reference = 0;
      double candidate = 0;
      elements.read(i / kLanesOfThread, i % kLanesOfThread, reference, candidate);
      const int kind = kindOf(reference) * kElementKinds + kindOf(candidate);
      if (kind != kFinite) {
        countOne(m_findings->excluded[kind]);
        excluded |= 1U << i;
        continue;
      }
      const Pair pair = pairOf(reference, candidate);
      const double magnitude = magnitudeOf(pair.difference);
      largestUlp = pair.ulps > largestUlp ? pair.ulps : largestUlp;
      if (reference != 0 && !(magnitude <= relativeBound(reference))) {
        const double relative = magnitude / magnitudeOf(reference);
        largestRelative = relative > largestRelative ? relative : largestRelative;
      }
    }
    // Once for all pairs: the threads of a block wait for each other there.
    raise(m_findings->largestUlp, largestUlp);
    raise(m_findings->largestRelative, largestRelative);
    refresh();
    return excluded;
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
  DifferenceCounter<kWide> m_counter;
  double m_relative = 0;
  double m_ulps = 0;
  double m_largest = 0;  ///< of either sign
};

}  // namespace ulp::engine::cuda
