#pragma once

#include <cstdint>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/result.h"
#include "core/numerics/tensor_view.h"

namespace ulp::compat::msit {

/// A weight that was made of its integers.
struct Dequantized {
  std::vector<float> values;  ///< as torch's `Tensor.float()` gives them
  std::vector<std::int64_t> shape;
  DType dtype = DType::Float32;  ///< that torch gives the product
};

/// (weight - offset) * scale as torch computes it of tensors: shapes are broadcast, types promoted,
/// and each of the two operations is rounded to its type. `weight` is int8, `scale` of a floating
/// type. Errors: InvalidArgument (shapes that do not fit, other types), OutOfMemory.
[[nodiscard]] Result<Dequantized> dequantized(const numerics::TensorView& weight,
                                              const numerics::TensorView& offset,
                                              const numerics::TensorView& scale);

}  // namespace ulp::compat::msit
