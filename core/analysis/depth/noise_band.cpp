#include "core/analysis/depth/noise_band.h"

#include <cmath>
#include <limits>

namespace ulp::analysis {

bool isWithinNoise(double value, double floor, numerics::Better better) {
  return numerics::isNoWorse(value, floor, better);
}

std::vector<double> noiseFloor(std::span<const std::vector<double>> repeats,
                               numerics::Better better) {
  if (repeats.empty()) {
    return {};
  }
  std::vector<double> floor(repeats.front().size(), std::numeric_limits<double>::quiet_NaN());
  for (const std::vector<double>& values : repeats) {
    for (std::size_t i = 0; i < floor.size(); ++i) {
      if (std::isfinite(values[i]) && !isWithinNoise(values[i], floor[i], better)) {
        floor[i] = values[i];
      }
    }
  }
  return floor;
}

}  // namespace ulp::analysis
