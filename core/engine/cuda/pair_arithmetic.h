#pragma once

#include <cstdint>
#include <cstring>

#include "core/numerics/comparison/comparison_kernels.h"

#ifdef __CUDACC__
#define ULP_HOST_DEVICE __host__ __device__
#else
#define ULP_HOST_DEVICE
#endif
#ifdef __CUDA_ARCH__
#define ULP_DO_NOT_UNROLL _Pragma("unroll 1")
#define ULP_UNROLL_FOUR _Pragma("unroll 4")
#else
#define ULP_DO_NOT_UNROLL
#define ULP_UNROLL_FOUR
#endif

/// The arithmetic of one pair of elements, for the kernels and for their tests on the CPU. Pairs
/// are `kWide` where one of them is a float64: their products are not exact, their differences may
/// be subnormal, or overflow.
namespace ulp::engine::cuda {

using numerics::detail::UlpScale;

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

/// Sign, exponent and 20 bits of the mantissa.
ULP_HOST_DEVICE inline std::uint32_t upperHalfOf(double value) {
  return static_cast<std::uint32_t>(bitsOf(value) >> 32);
}

/// A part of the instruction that takes it, on the device.
ULP_HOST_DEVICE inline double magnitudeOf(double value) {
  return __builtin_fabs(value);
}

ULP_HOST_DEVICE inline bool isFiniteNumber(double value) {
  return (upperHalfOf(value) & 0x7FF00000U) != 0x7FF00000U;
}

/// a * b + sum, rounded once.
ULP_HOST_DEVICE inline double addProduct(double a, double b, double sum) {
#ifdef __CUDA_ARCH__
  return __fma_rn(a, b, sum);
#else
  return __builtin_fma(a, b, sum);
#endif
}

/// |d| / ulp(reference), by powers of two as numerics::compare() multiplies by them.
template <bool kWide>
ULP_HOST_DEVICE inline double ulpsOf(double magnitude, double reference, UlpScale scale) {
  const std::uint32_t exponent = upperHalfOf(reference) & 0x7FF00000U;
  const auto smallest = static_cast<std::uint32_t>(scale.smallest >> 32);
  const std::uint32_t field =
      static_cast<std::uint32_t>(scale.base >> 32) - (exponent > smallest ? exponent : smallest);
  if constexpr (!kWide) {
    return magnitude * doubleOf(std::uint64_t{field} << 32);
  } else {
    // The power itself may be no double: two factors, as near to each other as can be.
    const std::uint32_t both = field + 0x3FF00000U;
    const std::uint32_t first = both >> 1 & 0x7FF00000U;
    return magnitude * doubleOf(std::uint64_t{first} << 32) *
           doubleOf(std::uint64_t{both - first} << 32);
  }
}

/// The exponent and the upper three bits of the mantissa, which make a bin of
/// Moments::differenceHistogram, above bits that are zero.
ULP_HOST_DEVICE inline std::uint32_t keyOf(double difference) {
  return upperHalfOf(difference) & 0x7FFE0000U;
}
inline constexpr int kKeyShift = 17;
/// Of bin 0; those of the other bins follow each other.
inline constexpr std::uint32_t kZeroKey = ((1023 + numerics::kHistogramMinExponent) << 3) - 1;

ULP_HOST_DEVICE constexpr std::uint32_t keyOfBin(std::uint32_t bin) {
  return (kZeroKey + bin) << kKeyShift;
}

/// The bin of a difference of either sign.
template <bool kWide>
ULP_HOST_DEVICE inline std::uint32_t binOf(double difference) {
  constexpr std::uint32_t kLast =
      kZeroKey + static_cast<std::uint32_t>(numerics::kHistogramBins - 1);
  std::uint32_t key = keyOf(difference) >> kKeyShift;
  if constexpr (kWide) {
    key = key > kZeroKey ? key : kZeroKey + (difference != 0 ? 1 : 0);
    key = key < kLast ? key : kLast;
  } else {
    // Differences of 24-bit numbers are zero or above the lowest edge, and below the highest.
    key = key > kZeroKey ? key : kZeroKey;
  }
  return key - kZeroKey;
}

/// |d| of a pair, 0 where it is not compared.
ULP_HOST_DEVICE inline double comparedMagnitude(double reference, double candidate) {
  return isFiniteNumber(reference) && isFiniteNumber(candidate) ? magnitudeOf(candidate - reference)
                                                                : 0;
}

}  // namespace ulp::engine::cuda
