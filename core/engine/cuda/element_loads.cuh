#pragma once

#include <cstdint>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

/// Elements as float64.
namespace ulp::engine::cuda {

__device__ inline double widen(double value) {
  return value;
}
__device__ inline double widen(float value) {
  return static_cast<double>(value);
}
__device__ inline double widen(__half value) {
  return static_cast<double>(__half2float(value));
}
__device__ inline double widen(__nv_bfloat16 value) {
  return static_cast<double>(__bfloat162float(value));
}

/// Two neighbours, from an address that is aligned to both together.
__device__ inline void loadTwo(const double* from, double (&to)[2]) {
  const double2 two = *reinterpret_cast<const double2*>(from);
  to[0] = two.x;
  to[1] = two.y;
}
__device__ inline void loadTwo(const float* from, double (&to)[2]) {
  const float2 two = *reinterpret_cast<const float2*>(from);
  to[0] = static_cast<double>(two.x);
  to[1] = static_cast<double>(two.y);
}
__device__ inline void loadTwo(const __half* from, double (&to)[2]) {
  const float2 two = __half22float2(*reinterpret_cast<const __half2*>(from));
  to[0] = static_cast<double>(two.x);
  to[1] = static_cast<double>(two.y);
}
__device__ inline void loadTwo(const __nv_bfloat16* from, double (&to)[2]) {
  const std::uint32_t two = *reinterpret_cast<const std::uint32_t*>(from);
  to[0] = static_cast<double>(__uint_as_float(two << 16));
  to[1] = static_cast<double>(__uint_as_float(two & 0xFFFF0000U));
}

}  // namespace ulp::engine::cuda
