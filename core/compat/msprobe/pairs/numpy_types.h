#pragma once

#include <cstdint>

#include "core/base/dtype.h"
#include "core/numerics/scalar_formats.h"

namespace ulp::compat::msprobe {

/// The floating-point types that NumPy computes in, from narrow to wide.
enum class Real : std::uint8_t { Half, Single, Double };

/// What msprobe has after loading: bfloat16 and float8 become float32.
[[nodiscard]] constexpr bool isInteger(DType dtype) {
  switch (dtype) {
    case DType::Float64:
    case DType::Float32:
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float8E4M3FN:
    case DType::Float8E5M2:
      return false;
    default:
      return true;
  }
}

/// The type of relative errors: integers and bools go to float64.
[[nodiscard]] constexpr Real realOf(DType dtype) {
  if (dtype == DType::Float16) {
    return Real::Half;
  }
  return isInteger(dtype) || dtype == DType::Float64 ? Real::Double : Real::Single;
}

/// The narrowest type that holds an array of `dtype` beside floats (numpy.result_type).
[[nodiscard]] constexpr Real promotedReal(DType dtype) {
  switch (dtype) {
    case DType::Bool:
    case DType::Int8:
    case DType::UInt8:
      return Real::Half;
    case DType::Int16:
      return Real::Single;
    default:
      return realOf(dtype);
  }
}

/// Rounds the exact or float64 result of one operation to the type, as the type itself would.
template <Real kReal>
[[nodiscard]] constexpr double roundTo(double value) {
  if constexpr (kReal == Real::Half) {
    return static_cast<double>(numerics::decodeFloat16(numerics::encodeFloat16(value)));
  } else if constexpr (kReal == Real::Single) {
    return static_cast<double>(static_cast<float>(value));
  } else {
    return value;
  }
}

[[nodiscard]] constexpr double roundTo(Real real, double value) {
  switch (real) {
    case Real::Half:
      return roundTo<Real::Half>(value);
    case Real::Single:
      return roundTo<Real::Single>(value);
    case Real::Double:
      break;
  }
  return value;
}

}  // namespace ulp::compat::msprobe
