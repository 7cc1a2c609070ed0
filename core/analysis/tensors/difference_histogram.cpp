#include "core/analysis/tensors/difference_histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulp::analysis {
namespace {

/// The smallest of 1, 2, 5 × 10^n that is not below `value`, which is positive and finite.
double roundedUp(double value) {
  const double decade = std::pow(10, std::floor(std::log10(value)));
  // Room for the rounding of the quotient.
  constexpr double kSlack = 1 + 1e-9;
  for (const double step : {1.0, 2.0, 5.0}) {
    if (value <= step * decade * kSlack) {
      return step * decade;
    }
  }
  return 10 * decade;
}

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Extent extentOf(std::span<const std::span<const double>> sets) {
  Extent extent;
  for (const std::span<const double> set : sets) {
    for (const double value : set) {
      if (std::isfinite(value)) {
        extent.low = std::min(extent.low, value);
        extent.high = std::max(extent.high, value);
      }
    }
  }
  return extent;
}

double widthOf(const Extent& extent, std::size_t bins) {
  // Halves, since the span of all doubles is not one.
  const double half = extent.high / 2 - extent.low / 2;
  if (half > 0) {
    const double wanted = half / static_cast<double>(bins) * 2;
    return wanted > std::numeric_limits<double>::min() ? roundedUp(wanted) : half;
  }
  const double magnitude = std::abs(extent.high);
  return magnitude > std::numeric_limits<double>::min() ? roundedUp(magnitude / 2) : 1;
}

}  // namespace

std::size_t DifferenceHistogram::binOf(double value) const {
  const double place = std::floor(value / width) - static_cast<double>(firstEdge);
  return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins() - 1)));
}

std::uint64_t DifferenceHistogram::largestCount() const {
  std::uint64_t largest = 0;
  for (const std::vector<std::uint64_t>& set : counts) {
    largest = std::max(largest, set.empty() ? 0 : *std::ranges::max_element(set));
  }
  return largest;
}

DifferenceHistogram differenceHistogram(std::span<const std::span<const double>> sets,
                                        std::size_t bins) {
  DifferenceHistogram histogram;
  histogram.counts.resize(sets.size());
  const Extent extent = extentOf(sets);
  if (extent.low > extent.high) {
    return histogram;
  }
  histogram.width = widthOf(extent, bins);
  const double first = std::floor(extent.low / histogram.width);
  const double last = std::floor(extent.high / histogram.width);
  histogram.firstEdge = static_cast<std::int64_t>(first);
  for (std::size_t set = 0; set < sets.size(); ++set) {
    histogram.counts[set].resize(static_cast<std::size_t>(last - first) + 1);
    for (const double value : sets[set]) {
      if (std::isfinite(value)) {
        ++histogram.counts[set][histogram.binOf(value)];
      }
    }
  }
  return histogram;
}

}  // namespace ulp::analysis
