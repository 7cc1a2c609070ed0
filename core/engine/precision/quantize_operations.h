#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "core/numerics/rounding/quantize.h"

namespace ulp::engine {

/// Does what numerics::quantize() does, by operations of LibTorch on the device of `values`: a
/// contiguous matrix of float32 or float64 whose rows are those of QuantizeOptions (one column for
/// formats without blocks). `options` leaves out rowLength, firstIndex and tensorScale.
[[nodiscard]] at::Tensor quantizeByOperations(const at::Tensor& values,
                                              const numerics::QuantizeOptions& options);

}  // namespace ulp::engine
