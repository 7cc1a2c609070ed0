#pragma once

#include <stop_token>

#include "core/base/result.h"
#include "core/numerics/comparison.h"

namespace ulp::analysis {

/// As comparer.compare(), to the last bit, for tensors of any size: it can be stopped between
/// pieces. Errors: as compare(); Cancelled.
[[nodiscard]] Result<numerics::Moments> compareStoppably(numerics::Comparer& comparer,
                                                         const numerics::TensorView& reference,
                                                         const numerics::TensorView& candidate,
                                                         const std::stop_token& stop);

}  // namespace ulp::analysis
