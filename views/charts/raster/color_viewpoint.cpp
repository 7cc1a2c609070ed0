#include "views/charts/raster/color_viewpoint.h"

#include <algorithm>

namespace ulp::views::charts {

void SharedColors::addTo(Viewpoint& viewpoint, const Range& shown) const {
  viewpoint.numbers.push_back(
      {.id = id, .low = shown.low, .high = shown.high, .isWhole = !isChosen});
  viewpoint.extents.push_back({.id = id, .low = fitted.low, .high = fitted.high});
}

std::optional<Range> SharedColors::follow(const Viewpoint& viewpoint) {
  const NumberSpan* span = viewpoint.findNumbers(id);
  if (span == nullptr) {
    return std::nullopt;
  }
  isChosen = !span->isWhole;
  return isChosen ? Range{span->low, span->high} : automatic();
}

void SharedColors::share(const std::vector<AxisExtent>& extents) {
  const auto found = std::ranges::find(extents, id, &AxisExtent::id);
  shared = found == extents.end() ? std::nullopt : std::optional(Range{found->low, found->high});
}

}  // namespace ulp::views::charts
