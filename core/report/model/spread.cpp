#include "core/report/model/spread.h"

#include <algorithm>
#include <cmath>

#include "core/numerics/student_t.h"

namespace ulp::report {

Spread spreadOf(double value) {
  return std::isfinite(value) ? Spread{.minimum = value, .maximum = value} : Spread{.undefined = 1};
}

void addSample(double& mean, Spread& spread, std::uint64_t samples, double value) {
  const std::uint64_t finite = samples - spread.undefined;
  if (!std::isfinite(value)) {
    ++spread.undefined;
    if (finite == 0) {
      mean = samples == 0 || mean == value ? value : kUndefined;
    }
    return;
  }
  if (finite == 0) {
    mean = value;
    spread.minimum = spread.maximum = value;
    return;
  }
  const auto before = static_cast<double>(finite);
  const double squares = finite == 1 ? 0 : spread.sd * spread.sd * (before - 1);
  const double step = value - mean;
  mean += step / (before + 1);
  spread.sd = std::sqrt((squares + step * (value - mean)) / before);
  spread.minimum = std::min(spread.minimum, value);
  spread.maximum = std::max(spread.maximum, value);
}

double halfInterval(const Spread& spread, std::uint64_t samples) {
  const std::uint64_t finite = samples - std::min(spread.undefined, samples);
  return finite < 2 ? kUndefined
                    : numerics::studentT975(finite - 1) * spread.sd /
                          std::sqrt(static_cast<double>(finite));
}

bool isSystematic(double mean, const Spread& spread, std::uint64_t samples) {
  return std::abs(mean) > halfInterval(spread, samples);
}

}  // namespace ulp::report
