#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/tensors/formats/torch/pickle_reader.h"

namespace ulp::tensors {

/// What a file of torch.save may name. Everything else would be code.
enum class TorchGlobal : std::uint16_t {
  RebuildTensor,     ///< (storage, offset, size, stride, …)
  RebuildTensorV3,   ///< (storage, offset, size, stride, requires_grad, hooks, dtype, …)
  RebuildParameter,  ///< (tensor, …)
  RebuildFromType,   ///< (function, type, arguments, state)
  RebuildQuantized,  ///< as RebuildTensor
  OtherTensor,       ///< sparse, nested and meta tensors
  Storage,           ///< FloatStorage, …: a storage of elements of one type
  UntypedStorage,    ///< a storage of bytes
  ElementType,       ///< torch.float32, …
  Size,              ///< (tuple)
  Value              ///< classes of values that are no tensors
};

[[nodiscard]] std::optional<PickleGlobal> findTorchGlobal(std::string_view module,
                                                          std::string_view name);

}  // namespace ulp::tensors
