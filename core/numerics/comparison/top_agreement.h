#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/numerics/tensor_view.h"

namespace ulp::numerics {

/// In how many rows of two tensors the same element is the largest.
struct TopAgreement {
  std::uint64_t rows = 0;  ///< compared: without a NaN in either
  std::uint64_t same = 0;
};

/// Rows are along the last dimension; of equal elements the first is the largest, as torch.argmax
/// has it. One pass over both, in one thread. Errors: InvalidArgument for shapes that differ or
/// have no last dimension.
[[nodiscard]] Result<TopAgreement> topAgreement(const TensorView& a, const TensorView& b);

}  // namespace ulp::numerics
