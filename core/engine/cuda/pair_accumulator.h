#pragma once

#include <cstdint>
#include <cstring>

#include "core/base/dtype.h"
#include "core/numerics/comparison/comparison.h"

#ifdef __CUDACC__
#define ULP_HOST_DEVICE __host__ __device__
#else
#define ULP_HOST_DEVICE
#endif

/// The arithmetic of one pair of elements, written once for the kernel and for its test on the CPU.
namespace ulp::engine::cuda {

/// Where the spacing of a format is read from: see numerics::ulpOf().
struct UlpGrid {
  int mantissaBits = 23;
  int minExponent = -126;
};

[[nodiscard]] inline UlpGrid ulpGridOf(DType format) {
  switch (format) {
    case DType::Float64:
      return {52, -1022};
    case DType::Float16:
      return {10, -14};
    case DType::BFloat16:
      return {7, -126};
    default:
      return {23, -126};
  }
}

ULP_HOST_DEVICE inline std::uint64_t bitsOf(double value) {
  std::uint64_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

ULP_HOST_DEVICE inline double doubleOf(std::uint64_t bits) {
  double value = 0;
  memcpy(&value, &bits, sizeof value);
  return value;
}

ULP_HOST_DEVICE inline double magnitudeOf(double value) {
  return doubleOf(bitsOf(value) & 0x7FFFFFFFFFFFFFFFULL);
}

ULP_HOST_DEVICE inline bool isFiniteNumber(double value) {
  return (bitsOf(value) >> 52 & 0x7FF) != 0x7FF;
}

/// 2^exponent, which may be subnormal; exponents as they occur in ulp spacings of float64 and
/// smaller.
ULP_HOST_DEVICE inline double powerOfTwo(int exponent) {
  return exponent >= -1022 ? doubleOf(static_cast<std::uint64_t>(exponent + 1023) << 52)
                           : doubleOf(std::uint64_t{1} << (exponent + 1074));
}

/// |d| / ulp(r). A division by a power of two is exact.
ULP_HOST_DEVICE inline double ulpDistance(double magnitude, double reference, UlpGrid grid) {
  const int field = static_cast<int>(bitsOf(reference) >> 52 & 0x7FF);
  const int exponent = field - 1023 > grid.minExponent ? field - 1023 : grid.minExponent;
  return magnitude / powerOfTwo(exponent - grid.mantissaBits);
}

/// Bin of Moments::differenceHistogram.
ULP_HOST_DEVICE inline std::uint32_t differenceBin(double magnitude) {
  if (magnitude == 0) {
    return 0;
  }
  constexpr int kLast = static_cast<int>(numerics::kHistogramBins) - 1;
  const int eighths = static_cast<int>(bitsOf(magnitude) >> 49);
  const int bin = eighths - (1023 + numerics::kHistogramMinExponent) * 8 + 1;
  return static_cast<std::uint32_t>(bin < 1 ? 1 : bin > kLast ? kLast : bin);
}

/// What a thread, a block or a whole tensor has accumulated; combine() is associative in everything
/// but the rounding of the sums.
struct PairAccumulator {
  double squaredReference = 0;
  double squaredCandidate = 0;
  double product = 0;
  double squaredDifference = 0;
  double absoluteDifference = 0;
  double ulp = 0;
  double maxUlp = 0;
  double maxRelative = 0;
  double maxAbsolute = -1;  ///< -1: no element compared yet
  std::uint64_t maxPosition = 0;
  std::uint64_t compared = 0;
  std::uint64_t equal = 0;
  std::uint64_t nonFinite[2][3] = {};  ///< reference, candidate; NaN, +Inf, -Inf

  ULP_HOST_DEVICE void countNonFinite(int side, double value) {
    if (!isFiniteNumber(value)) {
      nonFinite[side][value != value ? 0 : value > 0 ? 1 : 2] += 1;
    }
  }

  /// Returns the histogram bin of the pair, or -1 when it is not compared.
  ULP_HOST_DEVICE int add(double reference,
                          double candidate,
                          std::uint64_t position,
                          UlpGrid grid) {
    const bool bothNaN = reference != reference && candidate != candidate;
    equal += reference == candidate || bothNaN ? 1 : 0;
    if (!isFiniteNumber(reference) || !isFiniteNumber(candidate)) {
      countNonFinite(0, reference);
      countNonFinite(1, candidate);
      return -1;
    }
    const double difference = candidate - reference;
    const double magnitude = magnitudeOf(difference);
    compared += 1;
    squaredReference += reference * reference;
    squaredCandidate += candidate * candidate;
    product += reference * candidate;
    squaredDifference += difference * difference;
    absoluteDifference += magnitude;
    const double distance = ulpDistance(magnitude, reference, grid);
    ulp += distance;
    maxUlp = distance > maxUlp ? distance : maxUlp;
    if (reference != 0) {
      const double relative = magnitude / magnitudeOf(reference);
      maxRelative = relative > maxRelative ? relative : maxRelative;
    }
    offer(magnitude, position);
    return static_cast<int>(differenceBin(magnitude));
  }

  /// Larger differences first, lower positions first among equal ones.
  ULP_HOST_DEVICE void offer(double magnitude, std::uint64_t position) {
    if (magnitude > maxAbsolute || (magnitude == maxAbsolute && position < maxPosition)) {
      maxAbsolute = magnitude;
      maxPosition = position;
    }
  }

  ULP_HOST_DEVICE void combine(const PairAccumulator& other) {
    squaredReference += other.squaredReference;
    squaredCandidate += other.squaredCandidate;
    product += other.product;
    squaredDifference += other.squaredDifference;
    absoluteDifference += other.absoluteDifference;
    ulp += other.ulp;
    maxUlp = other.maxUlp > maxUlp ? other.maxUlp : maxUlp;
    maxRelative = other.maxRelative > maxRelative ? other.maxRelative : maxRelative;
    offer(other.maxAbsolute, other.maxPosition);
    compared += other.compared;
    equal += other.equal;
    for (int side = 0; side < 2; ++side) {
      for (int kind = 0; kind < 3; ++kind) {
        nonFinite[side][kind] += other.nonFinite[side][kind];
      }
    }
  }
};

}  // namespace ulp::engine::cuda
