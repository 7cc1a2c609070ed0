#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "core/numerics/rounding/quantize.h"

/// The formats by their definitions, slowly: what quantize() is compared with.
namespace ulp::numerics::oracle {

/// Distance of the numbers of a format around `magnitude`, as if exponents had no upper end.
inline double spacing(const FormatDescription& format, double magnitude) {
  const int exponent = magnitude == 0 ? format.minExponent() : std::ilogb(magnitude);
  return std::ldexp(1.0, std::max(exponent, format.minExponent()) - format.mantissaBits);
}

/// The number of the format next to `value`, ties to even.
inline double nearestEven(const FormatDescription& format, double value, Overflow overflow) {
  if (std::isnan(value)) {
    return value;
  }
  const double quantum = spacing(format, std::abs(value));
  // nearbyint() follows the default rounding mode: ties to even.
  const double rounded = std::isinf(value) ? value : std::nearbyint(value / quantum) * quantum;
  if (std::abs(rounded) <= format.maxFinite) {
    return std::copysign(rounded, value);
  }
  if (overflow == Overflow::Saturate) {
    return std::copysign(format.maxFinite, value);
  }
  return format.hasInfinity ? std::copysign(std::numeric_limits<double>::infinity(), value)
                            : std::numeric_limits<double>::quiet_NaN();
}

/// OCP MX 1.0, section 6.3, for one block of finite numbers.
inline std::vector<double> microscaled(const FormatDescription& format,
                                       const std::vector<float>& block) {
  double largest = 0;
  for (const float value : block) {
    largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  const double exponent = std::floor(std::log2(largest)) - std::floor(std::log2(format.maxFinite));
  const double scale = std::exp2(std::max(exponent, -127.0));
  std::vector<double> numbers;
  for (const float value : block) {
    numbers.push_back(scale * nearestEven(format, value / scale, Overflow::Saturate));
  }
  return numbers;
}

}  // namespace ulp::numerics::oracle
