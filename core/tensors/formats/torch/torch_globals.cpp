#include "core/tensors/formats/torch/torch_globals.h"

#include <algorithm>
#include <array>

#include "core/tensors/elements/stored_type.h"

namespace ulp::tensors {
namespace {

struct Known {
  std::string_view module;
  std::string_view name;
  TorchGlobal global;
  PickleKind makes = PickleKind::Call;
};

constexpr std::array<Known, 40> kKnown{{
    {"torch._utils", "_rebuild_tensor_v2", TorchGlobal::RebuildTensor},
    {"torch._utils", "_rebuild_tensor_v3", TorchGlobal::RebuildTensorV3},
    {"torch._utils", "_rebuild_tensor", TorchGlobal::RebuildTensor},
    {"torch._utils", "_rebuild_parameter", TorchGlobal::RebuildParameter},
    {"torch._utils", "_rebuild_parameter_with_state", TorchGlobal::RebuildParameter},
    {"torch._utils", "_rebuild_qtensor", TorchGlobal::RebuildQuantized},
    {"torch._utils", "_rebuild_sparse_tensor", TorchGlobal::OtherTensor},
    {"torch._utils", "_rebuild_sparse_csr_tensor", TorchGlobal::OtherTensor},
    {"torch._utils", "_rebuild_nested_tensor", TorchGlobal::OtherTensor},
    {"torch._utils", "_rebuild_meta_tensor_no_storage", TorchGlobal::OtherTensor},
    {"torch._tensor", "_rebuild_from_type_v2", TorchGlobal::RebuildFromType},
    {"torch.storage", "UntypedStorage", TorchGlobal::UntypedStorage},
    {"torch", "UntypedStorage", TorchGlobal::UntypedStorage},
    {"torch", "Size", TorchGlobal::Size},
    {"torch", "Tensor", TorchGlobal::Value},
    {"torch", "device", TorchGlobal::Value},
    {"torch", "strided", TorchGlobal::Value},
    {"torch", "per_tensor_affine", TorchGlobal::Value},
    {"torch", "per_channel_affine", TorchGlobal::Value},
    {"torch.nn.parameter", "Parameter", TorchGlobal::Value},
    {"torch.nn.parameter", "Buffer", TorchGlobal::Value},
    {"torch.serialization", "_get_layout", TorchGlobal::Value},
    {"_codecs", "encode", TorchGlobal::Value},
    {"collections", "OrderedDict", TorchGlobal::Value, PickleKind::Dict},
    {"collections", "defaultdict", TorchGlobal::Value, PickleKind::Dict},
    {"collections", "Counter", TorchGlobal::Value, PickleKind::Dict},
    {"collections", "deque", TorchGlobal::Value, PickleKind::List},
    {"builtins", "set", TorchGlobal::Value, PickleKind::List},
    {"builtins", "frozenset", TorchGlobal::Value, PickleKind::List},
    {"builtins", "list", TorchGlobal::Value, PickleKind::List},
    {"builtins", "tuple", TorchGlobal::Value, PickleKind::List},
    {"builtins", "dict", TorchGlobal::Value, PickleKind::Dict},
    {"builtins", "bytearray", TorchGlobal::Value},
    {"builtins", "bytes", TorchGlobal::Value},
    {"builtins", "complex", TorchGlobal::Value},
    {"builtins", "slice", TorchGlobal::Value},
    {"builtins", "int", TorchGlobal::Value},
    {"builtins", "float", TorchGlobal::Value},
    {"builtins", "str", TorchGlobal::Value},
    {"builtins", "bool", TorchGlobal::Value},
}};

}  // namespace

std::optional<PickleGlobal> findTorchGlobal(std::string_view module, std::string_view name) {
  // Python 2's name, which pickles of protocol 2 keep to.
  const std::string_view today = module == "__builtin__" ? "builtins" : module;
  const auto* const known = std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& row) {
    return row.name == name && row.module == today;
  });
  if (known != kKnown.end()) {
    return PickleGlobal{static_cast<std::uint16_t>(known->global), known->makes};
  }
  if (module == "torch" && findStoredType(name, &StoredType::torchStorage) != nullptr) {
    return PickleGlobal{static_cast<std::uint16_t>(TorchGlobal::Storage)};
  }
  if (module == "torch" && findStoredType(name) != nullptr) {
    return PickleGlobal{static_cast<std::uint16_t>(TorchGlobal::ElementType)};
  }
  return std::nullopt;
}

}  // namespace ulp::tensors
