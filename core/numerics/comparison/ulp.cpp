#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/numerics/comparison/comparison.h"
#include "core/numerics/comparison/comparison_kernels.h"
#include "core/numerics/scalar_formats.h"

namespace ulp::numerics {
namespace {

struct UlpFormat {
  int mantissaBits;
  int minExponent;
};

/// Integers: every exponent is lifted to the highest, at which the spacing is 1.
constexpr UlpFormat kIntegerFormat{1023, 1023};

constexpr UlpFormat ulpFormatOf(const ScalarFormat& format) {
  return {format.mantissaBits, format.minExponent()};
}

UlpFormat ulpFormatOf(DType dtype) {
  switch (dtype) {
    case DType::Float64:
      return {52, -1022};
    case DType::Float32:
      return {23, -126};
    case DType::Float16:
      return ulpFormatOf(kFloat16);
    case DType::BFloat16:
      return ulpFormatOf(kBFloat16);
    case DType::Float8E4M3FN:
      return ulpFormatOf(kFloat8E4M3FN);
    case DType::Float8E5M2:
      return ulpFormatOf(kFloat8E5M2);
    default:
      return kIntegerFormat;
  }
}

}  // namespace

DType ulpFormat(DType reference, DType candidate) {
  return ulpFormatOf(candidate).mantissaBits < ulpFormatOf(reference).mantissaBits ? candidate
                                                                                   : reference;
}

double ulpOf(double value, DType format) {
  if (!std::isfinite(value)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const UlpFormat of = ulpFormatOf(format);
  const int exponent = value == 0 ? of.minExponent : std::max(std::ilogb(value), of.minExponent);
  return std::ldexp(1.0, exponent - of.mantissaBits);
}

detail::UlpScale detail::ulpScaleOf(DType format) {
  constexpr int kBias = 1023;
  const UlpFormat of = ulpFormatOf(format);
  return {static_cast<std::uint64_t>(of.minExponent + kBias) << 52,
          static_cast<std::uint64_t>(2 * kBias + of.mantissaBits) << 52};
}

double binLowerEdge(std::size_t bin) {
  if (bin == 0) {
    return 0;
  }
  const std::size_t octave = (bin - 1) / kHistogramBinsPerOctave;
  const std::size_t eighth = (bin - 1) % kHistogramBinsPerOctave;
  return std::ldexp(1 + static_cast<double>(eighth) / kHistogramBinsPerOctave,
                    kHistogramMinExponent + static_cast<int>(octave));
}

}  // namespace ulp::numerics
