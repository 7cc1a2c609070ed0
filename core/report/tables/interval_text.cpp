#include "core/report/tables/interval_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/text/format_number.h"

namespace ulp::report {

std::string intervalText(const Spread& spread, std::uint64_t samples, numerics::MetricUnit unit) {
  if (samples < 2) {
    return "";
  }
  const double half = halfInterval(spread, samples);
  const double scale = unit == numerics::MetricUnit::Percent ? 100 : 1;
  std::string text = std::isnan(half) ? "" : " ±" + formatSignificant(half * scale, 2);
  if (spread.undefined != 0) {
    text += fmt::format(" (n={})", samples - std::min(spread.undefined, samples));
  }
  return text;
}

}  // namespace ulp::report
