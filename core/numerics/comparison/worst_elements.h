#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "core/numerics/comparison/comparison.h"

/// The order of Moments::worst, for the comparisons of the CPU and of devices.
namespace ulp::numerics::detail {

[[nodiscard]] inline double magnitudeOf(const WorstElement& element) {
  return std::abs(element.candidate - element.reference);
}

[[nodiscard]] inline bool isWorse(const WorstElement& a, const WorstElement& b) {
  const double left = magnitudeOf(a);
  const double right = magnitudeOf(b);
  return left > right || (left == right && a.flat < b.flat);
}

/// Puts elements, which are in this order, among those of `total`, however many these become.
inline void addWorst(Moments& total, std::span<const WorstElement> worst) {
  if (!worst.empty()) {
    total.maxAbsoluteDifference = std::max(total.maxAbsoluteDifference, magnitudeOf(worst.front()));
  }
  const auto middle = total.worst.insert(total.worst.end(), worst.begin(), worst.end());
  std::inplace_merge(total.worst.begin(), middle, total.worst.end(), isWorse);
}

}  // namespace ulp::numerics::detail
