#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/analysis/tensors/tensor_pair.h"
#include "views/charts/raster/color_scale.h"
#include "views/charts/raster/color_viewpoint.h"

namespace ulp::views {

class TileStore;

/// The colour scales of a plane's quantities. A and B share one, so that they can be compared by
/// blinking. Ranges fit the values until the user chooses one.
class PaneColors {
 public:
  /// Forgets scales and choices: another plane has other values.
  void clear();
  /// Fits the scale of a quantity to the pictures that there are, unless its range was chosen.
  /// Returns whether the fitted range is another one than before.
  bool fit(analysis::Quantity quantity, const TileStore& tiles);
  /// Sets the range that the user has chosen.
  void choose(analysis::Quantity quantity, const charts::Range& range);
  /// Sets a range without counting it as chosen; returns false where it is the one that there was.
  bool setRange(analysis::Quantity quantity, const charts::Range& range);
  /// Takes over the values that linked views have to show.
  void share(const std::vector<AxisExtent>& extents);

  [[nodiscard]] charts::ColorScale scaleOf(analysis::Quantity quantity) const;
  /// Null: no range has been fitted yet.
  [[nodiscard]] charts::SharedColors* find(analysis::Quantity quantity);
  [[nodiscard]] const charts::SharedColors* find(analysis::Quantity quantity) const;
  /// To the values of all linked views; nothing: not linked.
  [[nodiscard]] std::optional<charts::Range> sharedFit(analysis::Quantity quantity) const;

 private:
  struct Group {
    std::optional<charts::ColorScale> scale;  ///< nothing: neither fitted nor chosen yet
    bool isFitted = false;
    charts::SharedColors colors;
  };

  std::map<analysis::Quantity, Group> m_groups;  ///< A and B: under A
};

}  // namespace ulp::views
