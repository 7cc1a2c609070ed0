#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include "core/base/result.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::tensors {

/// A tensor of elements that no file holds as they are shown: `at(i)` gives the i-th `Shown`, which
/// is the element type of `info.dtype`. Error: OutOfMemory.
template <class Shown, class At>
[[nodiscard]] Result<Tensor> decodedTensor(const TensorInfo& info, const At& at) {
  Tensor tensor;
  tensor.view = {nullptr, info.dtype, info.shape};
  const std::size_t count = tensor.view.count();
  auto memory = ULP_TRY(allocateBytes(count * sizeof(Shown)));
  for (std::size_t i = 0; i < count; ++i) {
    const Shown shown = at(i);
    std::memcpy(memory.get() + i * sizeof(Shown), &shown, sizeof(Shown));
  }
  tensor.view.data = memory.get();
  tensor.owner = std::move(memory);
  return tensor;
}

}  // namespace ulp::tensors
