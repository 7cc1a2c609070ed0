#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// Decodes stored types without a DType of ours into `info.dtype`, exactly; `info.storedAs` names
/// the type: "U16"/"<u2"/"uint16" -> int32, "U32"/"<u4"/"uint32" and "U64"/"<u8"/"uint64" -> int64,
/// "F8_E8M0"/"float8_e8m0fnu" -> float32.
/// `stored` holds at least the elements of `info.shape`. Errors: Unsupported (a value beyond
/// int64), OutOfMemory; both without file and tensor.
[[nodiscard]] Result<Tensor> widened(std::span<const std::byte> stored, const TensorInfo& info);

}  // namespace ulp::tensors
