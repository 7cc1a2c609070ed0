#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/numerics/metrics/metric.h"

/// Arithmetic that metrics share.
namespace ulp::numerics {

/// Fast-LLM's CompareConfig.rms_eps: an absolute floor under the scale of the reference.
inline constexpr double kFastLlmFloor = 1e-4;

/// `sum` / `count`, undefined for nothing.
[[nodiscard]] inline double meanOf(double sum, std::uint64_t count) {
  return count == 0 ? kUndefined : sum / static_cast<double>(count);
}

/// `part` / `whole` of sums of squares or products. Undefined for a whole of 0, and for one beyond
/// float64's range, where only squares of float64 tensors can be; infinite for such a part alone.
[[nodiscard]] inline double ratioOf(double part, double whole) {
  return whole == 0 || !std::isfinite(whole) ? kUndefined : part / whole;
}

/// Computes by which share a candidate is larger (or smaller) than its reference where it points
/// the same way: sum(r v) / sum(r^2) - 1, signed. Rounding to the nearest leaves it near 0; what
/// keeps its sign over many inputs is a bias. NaN of a reference without a finite element other
/// than 0, and where ratioOf() is undefined.
[[nodiscard]] inline double gainError(const Moments& moments) {
  return ratioOf(moments.sumProduct, moments.sumSquaredReference) - 1;
}

/// `value` / `scale`; 0 for nothing of nothing, undefined for something of nothing.
[[nodiscard]] inline double relativeTo(double value, double scale) {
  if (scale == 0) {
    return value == 0 ? 0 : kUndefined;
  }
  return value / scale;
}

/// | ||v|| - ||r|| | / ||r||: at most the RMS rel of the tensors, by the triangle inequality.
[[nodiscard]] inline double normRel(const TensorStatistics& r, const TensorStatistics& v) {
  return relativeTo(std::abs(v.norm - r.norm), r.norm);
}

/// |mean v - mean r| in units of the RMS of r: at most the RMS rel, since |mean d| <= RMS d.
[[nodiscard]] inline double meanRel(const TensorStatistics& r, const TensorStatistics& v) {
  return r.count == 0 ? kUndefined
                      : relativeTo(std::abs(v.mean - r.mean),
                                   r.norm / std::sqrt(static_cast<double>(r.count)));
}

/// A difference of extremes in units of the larger magnitude of r's own two: a minimum near zero
/// makes no error large.
[[nodiscard]] inline double extremeRel(const TensorStatistics& r, double difference) {
  return relativeTo(std::abs(difference), std::max(std::abs(r.max), std::abs(r.min)));
}

}  // namespace ulp::numerics
