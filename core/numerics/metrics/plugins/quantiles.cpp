#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/numerics/metrics/metric_math.h"

namespace ulp::numerics {
namespace {

/// Value of rank `rank` (from 0) among the `count` values of a bin, taken as spread evenly over it.
double insideBin(std::size_t bin, std::uint64_t rank, std::uint64_t count) {
  const double lower = binLowerEdge(bin);
  const double upper = binLowerEdge(bin + 1);
  const double share = (static_cast<double>(rank) + 0.5) / static_cast<double>(count);
  return lower + (upper - lower) * share;
}

/// Whether a bin may hold values beyond its edges: the lowest, and the highest where one does.
bool isOpen(const Moments& m, std::size_t bin) {
  return bin == 1 || (bin + 1 == m.differenceHistogram.size() &&
                      m.maxAbsoluteDifference >= binLowerEdge(bin + 1));
}

/// The value of |d| that a fraction `q` of the compared elements does not exceed (nearest rank), to
/// the width of its bin; exact where it is 0. Of an open bin only the largest value is known.
double quantileOf(const Moments& m, double q) {
  if (m.compared == 0) {
    return kUndefined;
  }
  const double position = std::ceil(q * static_cast<double>(m.compared)) - 1;
  std::uint64_t rank =
      std::min(static_cast<std::uint64_t>(std::max(position, 0.0)), m.compared - 1);
  const bool isLast = rank + 1 == m.compared;
  for (std::size_t bin = 0; bin < m.differenceHistogram.size(); ++bin) {
    const std::uint64_t count = m.differenceHistogram[bin];
    if (rank < count && isOpen(m, bin)) {
      return isLast ? m.maxAbsoluteDifference : kUndefined;
    }
    if (rank < count) {
      return bin == 0 ? 0 : std::min(insideBin(bin, rank, count), m.maxAbsoluteDifference);
    }
    rank -= count;
  }
  return m.maxAbsoluteDifference;
}

template <int kPerMille>
Metric quantile(const std::string& id, const std::string& label, int order) {
  return {.id = "quantiles." + id,
          .label = label + " |d|",
          .formula = label +
                     " of |d| over elements finite in both, from the histogram "
                     "(eight bins an octave)",
          .order = order,
          .value = [](const Moments& m) { return quantileOf(m, kPerMille / 1000.0); }};
}

}  // namespace

void registerQuantiles(MetricRegistry& registry) {
  registry.add(quantile<500>("p50", "Median", 110));
  registry.add(quantile<900>("p90", "90th percentile", 111));
  registry.add(quantile<990>("p99", "99th percentile", 112));
  registry.add(quantile<999>("p999", "99.9th percentile", 113));
}

}  // namespace ulp::numerics
