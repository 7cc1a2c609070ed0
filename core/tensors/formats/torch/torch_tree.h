#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/formats/torch/pickle_reader.h"
#include "core/tensors/formats/torch/torch_file.h"

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

/// A tensor of a pickle, as the calls say that would have made it.
struct TorchTensor {
  std::string name{};
  const PickleNode* arguments = nullptr;  ///< of the call
  bool isV3 = false;                      ///< its element type stands in the arguments
  bool isPlain = true;                    ///< false: no storage that could be shown
  std::string kind{};                     ///< "quantized", "sparse", … where not plain
};

struct TorchTree {
  TorchValue root;
  std::vector<TorchTensor> tensors;
  std::deque<std::string> keys;  ///< texts of keys that are numbers
};

/// Walks the containers of a pickle without recursion. Errors: CorruptData (containers deeper than
/// 400, names beyond 4096 bytes, objects that are repeated without end).
[[nodiscard]] Result<TorchTree> readTorchTree(const ByteSource& source, const Pickle& pickle);

}  // namespace ulp::tensors
