#include "core/analysis/tensor_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulp::analysis {
namespace {

void countNonFinite(double value, numerics::NonFiniteCounts& counts) {
  if (std::isnan(value)) {
    ++counts.nan;
  } else if (value > 0) {
    ++counts.positiveInfinity;
  } else {
    ++counts.negativeInfinity;
  }
}

}  // namespace

TensorStatistics statisticsOf(const numerics::TensorView& tensor) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  TensorStatistics result{.count = tensor.count(), .nonFinite = {}};
  double lowest = kInfinity;
  double highest = -kInfinity;
  double sum = 0;
  double sumOfSquares = 0;
  for (std::size_t i = 0; i < result.count; ++i) {
    const double value = numerics::elementAt(tensor, i);
    if (!std::isfinite(value)) {
      countNonFinite(value, result.nonFinite);
      continue;
    }
    result.zeros += value == 0 ? 1 : 0;
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
    sum += value;
    sumOfSquares += value * value;
  }
  const auto finite = static_cast<double>(result.count - result.nonFinite.total());
  const bool hasFinite = finite > 0;
  result.minimum = hasFinite ? lowest : std::nan("");
  result.maximum = hasFinite ? highest : std::nan("");
  result.mean = sum / finite;
  result.rms = std::sqrt(sumOfSquares / finite);
  return result;
}

double Histogram::lowerEdge(std::size_t bin) const {
  return lower + (upper - lower) * static_cast<double>(bin) / static_cast<double>(counts.size());
}

Histogram histogramOf(const numerics::TensorView& tensor,
                      const TensorStatistics& statistics,
                      std::size_t bins) {
  Histogram histogram{statistics.minimum, statistics.maximum, {}};
  if (std::isnan(statistics.minimum)) {
    return histogram;
  }
  // Halves, because the span of float64 values can exceed float64.
  const double span = statistics.maximum / 2 - statistics.minimum / 2;
  histogram.counts.assign(span > 0 ? bins : 1, 0);
  for (std::size_t i = 0; i < statistics.count; ++i) {
    const double value = numerics::elementAt(tensor, i);
    if (!std::isfinite(value)) {
      continue;
    }
    const double place = span > 0 ? (value / 2 - statistics.minimum / 2) / span : 0;
    const auto bin = static_cast<std::size_t>(place * static_cast<double>(bins));
    ++histogram.counts[std::min(bin, histogram.counts.size() - 1)];
  }
  return histogram;
}

}  // namespace ulp::analysis
