#pragma once

#include <memory>

#include <ATen/ATen.h>

#include "core/base/dtype.h"
#include "core/numerics/tensor_view.h"
#include "core/tensors/archive/tensor_archive.h"

/// Between LibTorch's tensors and the project's views. Nothing here copies elements unless it says
/// so.
namespace ulp::engine {

[[nodiscard]] at::ScalarType scalarType(DType dtype);
/// Throws c10::Error for an element type that DType does not name (none is made by the engine).
[[nodiscard]] DType dtypeOf(at::ScalarType type);

/// Shares elements of the host, which `owner` keeps. The result must not be written.
[[nodiscard]] at::Tensor sharedTensor(const numerics::TensorView& view,
                                      std::shared_ptr<const void> owner);

/// Shares the elements of a tensor of a file. Copies only when they are not aligned to their size.
/// The result must not be written: a mapped file is read-only.
[[nodiscard]] at::Tensor shareTensor(const tensors::Tensor& stored);

}  // namespace ulp::engine
