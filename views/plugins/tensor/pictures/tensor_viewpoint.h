#pragma once

#include "core/analysis/tensors/tensor_slice.h"
#include "views/charts/plot/viewport.h"
#include "views/framework/view/viewpoint.h"

namespace ulp::views {

/// What is seen of a plane (its cells, columns along x), in positions of the tensor's dimensions.
[[nodiscard]] std::vector<NumberSpan> spansOf(const analysis::TensorPlane& plane,
                                              const charts::Viewport& seen);
/// The part of another plane that shows the same elements; dimensions that only one of them shows
/// stay as they are `seen`.
[[nodiscard]] charts::Viewport viewOf(const analysis::TensorPlane& plane,
                                      const Viewpoint& viewpoint,
                                      charts::Viewport seen);

}  // namespace ulp::views
