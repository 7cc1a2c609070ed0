#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "core/base/files/in_pieces.h"
#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/tensor_archive.h"
#include "core/tensors/elements/stored_type.h"

namespace ulp::tensors {

/// A tensor of elements that no file holds as they are shown: `at(i)` gives the i-th `Shown`, which
/// is the element type of `info.dtype`. Errors: OutOfMemory, Cancelled.
template <class Shown, class At>
[[nodiscard]] Result<Tensor> decodedTensor(const TensorInfo& info, const At& at) {
  auto [tensor, bytes] = ULP_TRY(newTensor(info.dtype, info.shape));
  const std::size_t count = tensor.view.count();
  StopPace pace(kPieceBytes);
  for (std::size_t i = 0; i < count; ++i) {
    if (pace.isStopped()) {
      return stopped();
    }
    const Shown shown = at(i);
    std::memcpy(bytes + i * sizeof(Shown), &shown, sizeof(Shown));
  }
  return std::move(tensor);
}

/// Elements of `type`, which is not Never, at `offset` of the source, which the caller has checked
/// to hold those of `info.shape` there: as they are, or decoded exactly into a DType of ours
/// (uint16 -> int32, uint32 and uint64 -> int64, float8_e8m0fnu -> float32). Errors: Unsupported (a
/// value beyond int64), OutOfMemory, Cancelled; all without file and tensor.
[[nodiscard]] Result<Tensor> shownTensor(const ByteSource& source,
                                         std::size_t offset,
                                         const StoredType& type,
                                         const TensorInfo& info);

/// As ifIntact(), and where `tensor` is an error, with `place` (file and tensor) in front of it.
[[nodiscard]] Result<Tensor> ifIntactAt(const std::string& place,
                                        const ByteSource& source,
                                        Result<Tensor> tensor);

}  // namespace ulp::tensors
