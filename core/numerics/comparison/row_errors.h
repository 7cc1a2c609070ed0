#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/numerics/tensor_view.h"

namespace ulp::numerics {

/// How far a row of one tensor is from that of another; sums in float64 over its elements that are
/// finite in both.
struct RowError {
  std::uint64_t compared = 0;  ///< such elements
  double squaredDifference = 0;
  double squaredReference = 0;
  std::uint64_t nonFinite = 0;  ///< elements of the candidate that are no numbers
};

/// Rows are along the last dimension, in order. Less than a comparison gives, in a fraction of its
/// time where rows are short. One pass over both, in one thread; nothing is converted but the row
/// that is looked at. Errors: InvalidArgument for shapes that differ or have no last dimension.
[[nodiscard]] Result<std::vector<RowError>> rowErrors(const TensorView& reference,
                                                      const TensorView& candidate);

}  // namespace ulp::numerics
