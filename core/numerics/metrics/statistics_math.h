#pragma once

#include <algorithm>
#include <cmath>

#include "core/numerics/metrics/metric.h"
#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {

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

/// A difference of extremes in units of the larger magnitude of both: a minimum near zero makes no
/// error large.
[[nodiscard]] inline double extremeRel(const TensorStatistics& r, double difference) {
  return relativeTo(std::abs(difference), std::max(std::abs(r.max), std::abs(r.min)));
}

}  // namespace ulp::numerics
