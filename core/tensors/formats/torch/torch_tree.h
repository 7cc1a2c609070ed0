#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/formats/torch/pickle_reader.h"
#include "core/tensors/formats/torch/torch_file.h"

namespace ulp::tensors {

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
