#include "core/analysis/tensors/tensor_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

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

/// Calls `use` with every element.
template <class Use>
void eachElement(const numerics::TensorView& tensor, const Use& use) {
  constexpr std::size_t kBlock = 2048;
  std::array<double, kBlock> block{};
  const std::size_t count = tensor.count();
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::span<double> values = std::span(block).first(std::min(kBlock, count - first));
    numerics::readElements(tensor, static_cast<std::int64_t>(first), 1, values);
    std::ranges::for_each(values, use);
  }
}

}  // namespace

TensorStatistics statisticsOf(const numerics::TensorView& tensor) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  TensorStatistics result{.count = tensor.count()};
  double lowest = kInfinity;
  double highest = -kInfinity;
  double sum = 0;
  double sumOfSquares = 0;
  eachElement(tensor, [&](double value) {
    if (!std::isfinite(value)) {
      countNonFinite(value, result.nonFinite);
      return;
    }
    result.zeros += value == 0 ? 1 : 0;
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
    sum += value;
    sumOfSquares += value * value;
  });
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
  eachElement(tensor, [&](double value) {
    if (!std::isfinite(value)) {
      return;
    }
    const double place = span > 0 ? (value / 2 - statistics.minimum / 2) / span : 0;
    const auto bin = static_cast<std::size_t>(place * static_cast<double>(bins));
    ++histogram.counts[std::min(bin, histogram.counts.size() - 1)];
  });
  return histogram;
}

}  // namespace ulp::analysis
