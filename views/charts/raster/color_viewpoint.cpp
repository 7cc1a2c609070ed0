#include "views/charts/raster/color_viewpoint.h"

#include <algorithm>

namespace ulp::views::charts {

void addColors(Viewpoint& viewpoint, const SharedColors& colors) {
  viewpoint.numbers.push_back({.id = colors.id,
                               .low = colors.shown.low,
                               .high = colors.shown.high,
                               .isWhole = !colors.isChosen});
  viewpoint.extents.push_back(
      {.id = colors.id, .low = colors.fitted.low, .high = colors.fitted.high});
}

std::optional<Range> chosenColors(const Viewpoint& viewpoint, const QString& id) {
  const NumberSpan* span = viewpoint.findNumbers(id);
  return span == nullptr || span->isWhole ? std::nullopt
                                          : std::optional(Range{span->low, span->high});
}

bool hasColors(const Viewpoint& viewpoint, const QString& id) {
  return viewpoint.findNumbers(id) != nullptr;
}

std::optional<Range> sharedFit(const std::vector<AxisExtent>& extents, const QString& id) {
  const auto found = std::ranges::find(extents, id, &AxisExtent::id);
  return found == extents.end() ? std::nullopt : std::optional(Range{found->low, found->high});
}

}  // namespace ulp::views::charts
