#pragma once

#include "views/charts/depth_chart/depth_chart.h"
#include "views/framework/view/viewpoint.h"

namespace ulp::views::charts {

/// The positions of a depth axis, which must outlive the result.
[[nodiscard]] NamedAxis namesOf(const DepthAxis& axis);

/// What a depth chart shows: its tensors, its values under `values`, which says what they are, and
/// the second cursor.
[[nodiscard]] Viewpoint viewpointOf(const DepthChart& chart, const QString& values);
/// Shows that part in another chart, as far as it has the tensors, and values of that name.
void showViewpoint(DepthChart& chart, const Viewpoint& viewpoint, const QString& values);
/// Lets the axis of values reach over the extent of that name; without one, over its own.
void showExtent(DepthChart& chart, const std::vector<AxisExtent>& extents, const QString& values);

}  // namespace ulp::views::charts
