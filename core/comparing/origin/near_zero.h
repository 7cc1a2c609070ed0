#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/comparing/origin/culprit.h"
#include "core/comparing/origin/execution_order.h"

namespace ulp::analysis {

/// Recorded numbers near zero, which a tool that divides a difference by the number itself
/// (msprobe) calls wrong although nothing is.
struct NearZero {
  std::size_t rows = 0;   ///< how many have one
  std::string row;        ///< the first of them, in the order of the baseline
  std::string statistic;  ///< of it: "maximum", "minimum" or "mean"
  double baseline = 0;
  double candidate = 0;
};

/// The share of itself by which a number must be off: from there on msprobe takes an output for
/// another one (`compare -da`, and its comparison of folders).
inline constexpr double kMarkedNearZero = 0.5;

/// Rows of one shape whose recorded maximum, minimum or mean differs by more than kMarkedNearZero
/// of itself, but in units of the tensor's own scale (largest magnitude; of means, RMS) by no more
/// than rounding in the coarser of its two formats accounts for (roundingOf()). Nothing: there are
/// none.
[[nodiscard]] std::optional<NearZero> findNearZero(const PairedCalls& pairs,
                                                   const CulpritLimits& limits = {});

}  // namespace ulp::analysis
