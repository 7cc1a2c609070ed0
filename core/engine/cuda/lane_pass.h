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

/// A pair within all of these changes nothing but sums and the histogram.
struct Bounds {
  double largest = 0;
  double relative = 0;
  double ulp = 0;

  ULP_HOST_DEVICE void readFrom(const BlockFindings& findings, int turn) {
    constexpr double kMax = 0x1.fffffffffffffp1023;
    largest = sharedValue(findings.largestOfChunk[turn]);
    // Finite, so that every infinite difference is inspected: it may be of an infinite element.
    largest = largest < kMax ? largest : kMax;
    relative = relativeBoundOf(sharedValue(findings.largestRelative));
    ulp = sharedValue(findings.largestUlp);
  }
};

template <bool kWide>
class LanePass {
 public:
  ULP_HOST_DEVICE explicit LanePass(UlpScale scale) : m_scale(scale) {}

  /// Reads what others found since. `turn` is that of the chunk in BlockFindings.
  ULP_HOST_DEVICE void refresh(const BlockFindings& findings, int turn) {
    m_bounds.readFrom(findings, turn);
  }

  ULP_HOST_DEVICE void add(
      double reference, double candidate, Sums& sums, BlockFindings& findings, int turn) {
    double difference = candidate - reference;
    double magnitude = magnitudeOf(difference);
    double ulps = ulpsOf<kWide>(magnitude, reference, m_scale);
    // Where a difference is NaN, one of the two is not finite.
    if (!(magnitude <= m_bounds.largest) || magnitude > relativeBound(reference) ||
        ulps > m_bounds.ulp) {
      if (kindOf(reference) != kFinite || kindOf(candidate) != kFinite) {
        countOne(findings.excluded[kindOf(reference) * kElementKinds + kindOf(candidate)]);
        reference = candidate = difference = magnitude = ulps = 0;
      } else {
        inspect(reference, magnitude, ulps, findings, turn);
      }
    }
    sums.squaredReference = addProduct(reference, reference, sums.squaredReference);
    sums.squaredCandidate = addProduct(candidate, candidate, sums.squaredCandidate);
    sums.product = addProduct(reference, candidate, sums.product);
    sums.squaredDifference = addProduct(difference, difference, sums.squaredDifference);
    sums.absoluteDifference += magnitude;
    sums.ulp += ulps;
    countOne(findings.histogram[differenceBin<kWide>(magnitude)]);
  }

 private:
  ULP_HOST_DEVICE double relativeBound(double reference) const {
    const double product = m_bounds.relative * magnitudeOf(reference);
    if constexpr (kWide) {
      // It may have been rounded up from a subnormal number.
      return product > 0 ? doubleOf(bitsOf(product) - 1) : product;
    } else {
      return product;
    }
  }

  ULP_HOST_DEVICE void inspect(
      double reference, double magnitude, double ulps, BlockFindings& findings, int turn) {
    raise(findings.largestOfChunk[turn], magnitude);
    raise(findings.largestUlp, ulps);
    if (reference != 0 && magnitude > relativeBound(reference)) {
      raise(findings.largestRelative, magnitude / magnitudeOf(reference));
    }
    m_bounds.readFrom(findings, turn);
  }

  UlpScale m_scale;
  Bounds m_bounds;
};

}  // namespace ulp::engine::cuda
