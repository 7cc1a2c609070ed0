#include "core/comparing/origin/near_zero.h"

#include <array>
#include <cmath>
#include <utility>

#include "core/numerics/metrics/metric_math.h"

namespace ulp::analysis {
namespace {

/// A statistic of both sides, and its difference in units of the tensor's scale.
struct Number {
  const char* name = "";
  double baseline = 0;
  double candidate = 0;
  double ofScale = 0;

  /// False as well where one of them is not known.
  [[nodiscard]] bool isMisread(double rounding) const {
    return std::abs(candidate - baseline) > kMarkedNearZero * std::abs(baseline) &&
           ofScale <= rounding;
  }
};

std::array<Number, 3> numbersOf(const dumps::DumpRow& baseline, const dumps::DumpRow& candidate) {
  const numerics::TensorStatistics r = statisticsOf(baseline);
  const numerics::TensorStatistics v = statisticsOf(candidate);
  return {{{"maximum", r.max, v.max, numerics::extremeRel(r, v.max - r.max)},
           {"minimum", r.min, v.min, numerics::extremeRel(r, v.min - r.min)},
           {"mean", r.mean, v.mean, numerics::meanRel(r, v)}}};
}

}  // namespace

std::optional<NearZero> findNearZero(const PairedCalls& pairs, const CulpritLimits& limits) {
  NearZero found;
  for (std::size_t row = 0; row < pairs.units().rows.size(); ++row) {
    const RowDifference& difference = pairs.difference(row);
    if (difference.isShapeDifferent || pairs.isLeft(row)) {
      continue;
    }
    const double rounding = roundingOf(difference.roundOff, limits);
    for (const Number& number : numbersOf(pairs.row(row), pairs.candidateRow(row))) {
      if (!number.isMisread(rounding)) {
        continue;
      }
      if (found.rows == 0) {
        found.row = pairs.row(row).name;
        found.statistic = number.name;
        found.baseline = number.baseline;
        found.candidate = number.candidate;
      }
      ++found.rows;
      break;
    }
  }
  return found.rows == 0 ? std::nullopt : std::optional(std::move(found));
}

}  // namespace ulp::analysis
