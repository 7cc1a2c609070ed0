#pragma once

#include <span>
#include <vector>

#include "core/numerics/metrics/metric.h"

namespace ulp::analysis {

/// Gives how bad a metric gets where nothing was changed: at each place the worst value of runs
/// that only repeat the baseline. `repeats`: the values of one run each, all as long; NaN and
/// infinities say nothing. NaN in the result: no run says anything there.
[[nodiscard]] std::vector<double> noiseFloor(std::span<const std::vector<double>> repeats,
                                             numerics::Better better);

/// Tells whether a value is no worse than the floor, and so may mean nothing. False where either is
/// unknown.
[[nodiscard]] bool isWithinNoise(double value, double floor, numerics::Better better);

}  // namespace ulp::analysis
