#pragma once

#include <optional>

#include "views/charts/raster/color_scale.h"
#include "views/framework/view/viewpoint.h"

/// Colours that views side by side share, so that a colour means the same number in all of them.
namespace ulp::views::charts {

/// The colour range of a view. `id` says what its numbers are: those of another id are not shared.
struct SharedColors {
  QString id;
  Range fitted;           ///< to the view's own values
  Range shown;            ///< now
  bool isChosen = false;  ///< by the user: others take it over; else all fit all values together
};

void addColors(Viewpoint& viewpoint, const SharedColors& colors);
/// The range that the user chose in the view that is followed; nothing: it was fitted there.
[[nodiscard]] std::optional<Range> chosenColors(const Viewpoint& viewpoint, const QString& id);
/// Whether the view that is followed shows such colours at all.
[[nodiscard]] bool hasColors(const Viewpoint& viewpoint, const QString& id);
/// What a fitted range has to reach over; nothing: the view is not linked.
[[nodiscard]] std::optional<Range> sharedFit(const std::vector<AxisExtent>& extents,
                                             const QString& id);

}  // namespace ulp::views::charts
