#pragma once

#include <optional>

#include "views/charts/raster/color_scale.h"
#include "views/framework/view/viewpoint.h"

namespace ulp::views::charts {

/// The colour range of a view that may share it with views side by side, so that a colour means the
/// same number in all of them: what the user chose in one of them, else what fits the values of all
/// of them.
struct SharedColors {
  QString id;                     ///< says what the numbers are: those of another id are not shared
  Range fitted;                   ///< to the view's own values
  std::optional<Range> shared{};  ///< to those of all linked views; nothing: it is not linked
  bool isChosen = false;          ///< by the user

  /// The range to show while none is chosen.
  [[nodiscard]] Range automatic() const { return shared.value_or(fitted); }
  /// `shown`: the range now.
  void addTo(Viewpoint& viewpoint, const Range& shown) const;
  /// Does as the view that is followed: returns the range to show, nothing where that view has no
  /// such colours.
  [[nodiscard]] std::optional<Range> follow(const Viewpoint& viewpoint);
  void share(const std::vector<AxisExtent>& extents);
};

}  // namespace ulp::views::charts
