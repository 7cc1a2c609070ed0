#pragma once

#include "core/analysis/tensors/tensor_slice.h"
#include "views/charts/plot/viewport.h"
#include "views/framework/view/viewpoint.h"

namespace ulp::views {

/// Rows and columns that are seen of a plane, in its cells.
struct PlaneView {
  charts::Range columns;
  charts::Range rows;
  bool allColumns = true;
  bool allRows = true;
};

/// What is seen of a plane, in positions of the tensor's dimensions.
[[nodiscard]] std::vector<NumberSpan> spansOf(const analysis::TensorPlane& plane,
                                              const PlaneView& seen);
/// The part of another plane that shows the same elements; dimensions that only one of them shows
/// stay as they are `seen`.
[[nodiscard]] PlaneView viewOf(const analysis::TensorPlane& plane,
                               const Viewpoint& viewpoint,
                               const PlaneView& seen);

}  // namespace ulp::views
