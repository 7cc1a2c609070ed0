#include "views/charts/depth_chart/depth_viewpoint.h"

#include <algorithm>
#include <cmath>

namespace ulp::views::charts {
namespace {

QString tensorsId() {
  return QStringLiteral("tensors");
}

Range tensorsOf(const DepthChart& chart, const Viewpoint& viewpoint) {
  const NamedSpan* span = viewpoint.findNames(tensorsId());
  if (span == nullptr || chart.data().axis.size() == 0) {
    return chart.viewRange().x();
  }
  if (span->isWhole) {
    return chart.viewRange().fullX();
  }
  const std::optional<AxisPart> part = partOf(namesOf(chart.data().axis), *span);
  return part ? Range{part->low, part->high} : chart.viewRange().x();
}

Range valuesOf(const DepthChart& chart, const Viewpoint& viewpoint, const QString& values) {
  const NumberSpan* span = viewpoint.findNumbers(values);
  if (span == nullptr) {
    return chart.viewRange().y();
  }
  return span->isWhole ? chart.viewRange().fullY() : Range{span->low, span->high};
}

int pinnedSlot(const DepthChart& chart, const Viewpoint& viewpoint) {
  const int count = chart.data().axis.size();
  if (!viewpoint.pin || count == 0) {
    return -1;
  }
  const std::optional<double> at = positionOf(namesOf(chart.data().axis), *viewpoint.pin);
  return at ? std::clamp(static_cast<int>(std::lround(*at)), 0, count - 1) : -1;
}

}  // namespace

NamedAxis namesOf(const DepthAxis& axis) {
  return {.count = axis.size(), .at = [&axis](int index) {
            const DepthSlot& slot = axis.at(index);
            return AxisName{.name = slot.name, .pass = slot.pass, .layer = slot.layer};
          }};
}

Viewpoint viewpointOf(const DepthChart& chart, const QString& values) {
  const DepthData& data = chart.data();
  if (data.axis.size() == 0) {
    return {};
  }
  const Viewport& seen = chart.viewRange();
  const NamedAxis names = namesOf(data.axis);
  Viewpoint viewpoint;
  viewpoint.names.push_back(spanOf(
      tensorsId(), names, {.low = seen.x().low, .high = seen.x().high}, seen.x() == seen.fullX()));
  viewpoint.numbers.push_back({.id = values,
                               .low = seen.y().low,
                               .high = seen.y().high,
                               .isWhole = seen.y() == seen.fullY()});
  viewpoint.extents.push_back(
      {.id = values, .low = chart.extent().low, .high = chart.extent().high});
  if (chart.options().pinnedSlot >= 0) {
    viewpoint.pin = placeAt(names, chart.options().pinnedSlot);
  }
  return viewpoint;
}

void showViewpoint(DepthChart& chart, const Viewpoint& viewpoint, const QString& values) {
  chart.setViewRange(tensorsOf(chart, viewpoint), valuesOf(chart, viewpoint, values));
  const int pinned = pinnedSlot(chart, viewpoint);
  if (pinned != chart.options().pinnedSlot) {
    chart.setPinnedSlot(pinned);
  }
}

void showExtent(DepthChart& chart, const std::vector<AxisExtent>& extents, const QString& values) {
  const auto found = std::ranges::find(extents, values, &AxisExtent::id);
  chart.setLeastExtent(found == extents.end() ? std::nullopt
                                              : std::optional(Range{found->low, found->high}));
}

}  // namespace ulp::views::charts
