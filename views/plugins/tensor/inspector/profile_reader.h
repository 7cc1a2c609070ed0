#pragma once

#include <stop_token>
#include <utility>

#include "core/analysis/tensors/tensor_pyramid.h"
#include "views/plugins/tensor/inspector/distribution_plots.h"

namespace ulp::views {

/// Values of A and B along the row and along the column of an element, over what is seen of them;
/// runs that are longer than a chart is wide are gathered like the cells of a picture. Titles and
/// names are the caller's.
[[nodiscard]] std::pair<Profile, Profile> readProfiles(const analysis::TensorPair& pair,
                                                       const analysis::TensorPlane& plane,
                                                       const analysis::PlanePoint& at,
                                                       const analysis::PlaneRect& visible,
                                                       const std::stop_token& stop);

}  // namespace ulp::views
