#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/numerics/rounding/number_format.h"
#include "core/numerics/rounding/quantize.h"

/// Internal to core/numerics: the vector code behind quantize().
namespace ulp::numerics::detail {

/// The pattern of a float or double.
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// How the elements of a format are rounded within the type T: without a branch, by arithmetic on
/// the patterns of normal numbers and by adding a large number to subnormal ones.
template <class T>
struct ElementRounding {
  BitsOf<T> discarded = 0;       ///< mantissa bits of T that the format lacks
  BitsOf<T> half = 0;            ///< of a unit in the last place of the format, less one
  BitsOf<T> smallestNormal = 0;  ///< pattern; 0 where the subnormal numbers are those of T
  BitsOf<T> largest = 0;         ///< pattern of the largest finite number
  BitsOf<T> beyond = 0;          ///< pattern that stands for anything larger
  T quantum = 0;                 ///< distance of subnormal numbers
  T inverseQuantum = 0;
  T rounder = 0;  ///< a number whose unit in the last place is the quantum
};

/// Errors of the arithmetic: the format has fewer mantissa bits than T.
template <class T>
[[nodiscard]] ElementRounding<T> elementRounding(const FormatDescription& format,
                                                 Overflow overflow);

/// What the kernels are told of one call of quantize().
template <class T>
struct QuantizeJob {
  ElementRounding<T> element;
  bool stochastic = false;
  std::uint64_t key = 0;  ///< randomKey()
  std::uint64_t firstIndex = 0;
  int blockSize = 1;
  BlockScale scale = BlockScale::None;
  int largestExponent = 0;  ///< of the largest element
  T largestElement = 0;
  T tensorScale = 1;
  ElementRounding<T> scaleRounding;  ///< of E4M3 scales
};

/// One row of a job.
template <class T>
using QuantizeKernel = void (*)(const T* in, T* out, std::size_t count, const QuantizeJob<T>& job);

/// The kernels of one instruction set. All of them round alike, bit for bit.
struct QuantizeKernels {
  std::string_view name;
  QuantizeKernel<float> ofFloat = nullptr;
  QuantizeKernel<double> ofDouble = nullptr;
};

[[nodiscard]] const QuantizeKernels& portableQuantizeKernels();
#ifdef ULP_X86_KERNELS
[[nodiscard]] const QuantizeKernels& avx2QuantizeKernels();
[[nodiscard]] const QuantizeKernels& avx512QuantizeKernels();
#endif

/// Those that the running CPU can execute, fastest first; the portable one is always there.
[[nodiscard]] std::vector<const QuantizeKernels*> availableQuantizeKernels();

/// quantize() by kernels of one's choice.
void quantizeWith(const QuantizeKernels& kernels,
                  std::span<const float> in,
                  std::span<float> out,
                  const QuantizeOptions& options);
void quantizeWith(const QuantizeKernels& kernels,
                  std::span<const double> in,
                  std::span<double> out,
                  const QuantizeOptions& options);

}  // namespace ulp::numerics::detail
