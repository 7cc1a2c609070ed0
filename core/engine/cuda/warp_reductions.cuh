#pragma once

#include <cstdint>

#include "core/engine/cuda/histogram_window.h"

/// What all threads of a warp find out together.
namespace ulp::engine::cuda {

/// The largest of a warp's numbers, in all its threads.
__device__ inline std::uint32_t largestOfWarp(std::uint32_t value) {
#if !defined(__CUDACC__) || __CUDA_ARCH__ >= 800
  return __reduce_max_sync(0xFFFFFFFFU, value);
#else
  for (int other = kWarp / 2; other > 0; other /= 2) {
    const std::uint32_t theirs = __shfl_xor_sync(0xFFFFFFFFU, value, other);
    value = theirs > value ? theirs : value;
  }
  return value;
#endif
}

/// The same of doubles that are not negative and not NaN, which are ordered as their bits are.
__device__ inline double largestOfWarp(double value) {
  const std::uint32_t upper = upperHalfOf(value);
  const std::uint32_t bestUpper = largestOfWarp(upper);
  const std::uint32_t lower = upper == bestUpper ? static_cast<std::uint32_t>(bitsOf(value)) : 0;
  return doubleOf(std::uint64_t{bestUpper} << 32 | largestOfWarp(lower));
}

}  // namespace ulp::engine::cuda
