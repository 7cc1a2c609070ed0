#include "core/tensors/formats/torch/torch_tree.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/stop_pace.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/elements/stored_type.h"

namespace ulp::tensors {
namespace {

constexpr std::size_t kMostDepth = 400;
constexpr std::size_t kLongestPath = 4096;

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

/// A container whose members are being read.
struct Frame {
  const PickleNode* node;
  TorchValue* value;
  std::size_t next = 0;        ///< member
  std::size_t nameLength = 0;  ///< of the path to the container
};

TorchGlobal globalOf(const PickleNode& node) {
  return static_cast<TorchGlobal>(node.global);
}

class Walker {
 public:
  Walker(const ByteSource& source, const Pickle& pickle)
      : m_source(source),
        m_pickle(pickle),
        m_valuesLeft(4 * pickle.nodes.size() + 64),
        m_nameBytesLeft(64 * source.bytes.size() + (std::size_t{1} << 20U)) {}

  Result<TorchTree> run() {
    begin(m_pickle.at(m_pickle.root), m_tree.root);
    StopPace pace;
    while (!m_frames.empty() && m_problem.empty()) {
      if (pace.isStopped()) {
        return stopped();
      }
      Frame& frame = m_frames.back();
      m_name.resize(frame.nameLength);
      if (frame.next == frame.value->items.size()) {
        m_frames.pop_back();
        continue;
      }
      member(frame, frame.next++);
    }
    if (!m_problem.empty()) {
      return m_source.corrupt(m_problem);
    }
    return std::move(m_tree);
  }

 private:
  void member(const Frame& frame, std::size_t position) {
    TorchValue& value = frame.value->items[position];
    const bool isDict = frame.value->kind == TorchKind::Dict;
    if (isDict) {
      value.key = keyOf(m_pickle.at(frame.node->items[2 * position]), position);
      if (!isUtf8(value.key)) {
        m_problem = "the key " + quotedName(value.key) + " is not UTF-8";
        return;
      }
    }
    if (!m_name.empty()) {
      m_name += '.';
    }
    m_name += isDict ? value.key : std::string_view(std::to_string(position));
    if (m_name.size() > kLongestPath) {
      m_problem = "the path to a value is longer than " + std::to_string(kLongestPath) + " bytes";
      return;
    }
    begin(m_pickle.at(frame.node->items[isDict ? 2 * position + 1 : position]), value);
  }

  /// The text of a dict's key. Numbers are written out; anything else is called by its place.
  std::string_view keyOf(const PickleNode& key, std::size_t position) {
    switch (key.kind) {
      case PickleKind::Text:
        return key.text;
      case PickleKind::Integer:
        return m_tree.keys.emplace_back(std::to_string(key.integer));
      case PickleKind::Bool:
        return key.integer != 0 ? "True" : "False";
      case PickleKind::None:
        return "None";
      default:
        return m_tree.keys.emplace_back("key " + std::to_string(position));
    }
  }

  void begin(const PickleNode& node, TorchValue& value) {
    switch (node.kind) {
      case PickleKind::None:
        break;
      case PickleKind::Bool:
      case PickleKind::Integer:
        value.kind = node.kind == PickleKind::Bool ? TorchKind::Bool : TorchKind::Integer;
        value.integer = node.integer;
        value.real = static_cast<double>(node.integer);
        break;
      case PickleKind::Real:
        value.kind = TorchKind::Real;
        value.real = node.real;
        break;
      case PickleKind::Text:
      case PickleKind::Bytes:
        value.kind = node.kind == PickleKind::Text ? TorchKind::Text : TorchKind::Bytes;
        value.text = node.text;
        break;
      case PickleKind::Tuple:
      case PickleKind::List:
      case PickleKind::Dict:
        beginContainer(node, value);
        break;
      case PickleKind::Global:
        value.kind =
            globalOf(node) == TorchGlobal::ElementType ? TorchKind::Text : TorchKind::Other;
        value.text = node.text;
        break;
      case PickleKind::Persistent:
        value.kind = TorchKind::Other;
        break;
      case PickleKind::Call:
        beginCall(node, value);
        break;
    }
  }

  void beginContainer(const PickleNode& node, TorchValue& value) {
    const bool isDict = node.kind == PickleKind::Dict;
    const std::size_t count = isDict ? node.items.size() / 2 : node.items.size();
    value.kind = isDict ? TorchKind::Dict : TorchKind::List;
    if (m_frames.size() == kMostDepth) {
      m_problem = "containers nest deeper than " + std::to_string(kMostDepth);
      return;
    }
    if (count > m_valuesLeft) {
      m_problem = "its objects contain one another without end";
      return;
    }
    m_valuesLeft -= count;
    value.items.resize(count);
    m_frames.push_back({&node, &value, 0, m_name.size()});
  }

  /// Tensors, torch.Size, and what wraps a tensor.
  void beginCall(const PickleNode& node, TorchValue& value) {
    const PickleNode* function = &m_pickle.at(node.items[0]);
    const PickleNode* arguments = &m_pickle.at(node.items[1]);
    for (std::size_t wrapped = 0; wrapped < kMostDepth; ++wrapped) {
      const TorchGlobal global = globalOf(*function);
      const PickleNode* inner = m_pickle.item(*arguments, 0);
      if (global == TorchGlobal::RebuildParameter && inner != nullptr &&
          inner->kind == PickleKind::Call) {
        function = &m_pickle.at(inner->items[0]);
        arguments = &m_pickle.at(inner->items[1]);
      } else if (const PickleNode* its = m_pickle.item(*arguments, 2);
                 global == TorchGlobal::RebuildFromType && its != nullptr &&
                 inner->kind == PickleKind::Global && its->kind == PickleKind::Tuple) {
        function = inner;
        arguments = its;
      } else {
        endCall(*function, *arguments, value);
        return;
      }
    }
    m_problem = "a tensor is wrapped more than " + std::to_string(kMostDepth) + " times";
  }

  void endCall(const PickleNode& function, const PickleNode& arguments, TorchValue& value) {
    switch (globalOf(function)) {
      case TorchGlobal::RebuildTensor:
      case TorchGlobal::RebuildTensorV3:
        add({.arguments = &arguments, .isV3 = globalOf(function) == TorchGlobal::RebuildTensorV3},
            value);
        break;
      case TorchGlobal::RebuildQuantized:
        add({.arguments = &arguments, .isPlain = false, .kind = "quantized tensor"}, value);
        break;
      case TorchGlobal::OtherTensor: {
        const std::string_view name = function.text;
        const bool isSparse = name.find("sparse") != std::string_view::npos;
        const bool isMeta = name.find("meta") != std::string_view::npos;
        add({.arguments = nullptr,
             .isPlain = false,
             .kind = isSparse ? "sparse tensor"
                     : isMeta ? "tensor without elements (device meta)"
                              : "nested tensor"},
            value);
        break;
      }
      case TorchGlobal::Size: {
        const PickleNode* size = m_pickle.item(arguments, 0);
        if (size != nullptr && size->kind == PickleKind::Tuple) {
          beginContainer(*size, value);
          break;
        }
        [[fallthrough]];
      }
      default:
        value.kind = TorchKind::Other;
    }
  }

  void add(TorchTensor tensor, TorchValue& value) {
    if (m_name.size() > m_nameBytesLeft) {
      m_problem = "the names of its tensors are out of proportion to the file";
      return;
    }
    m_nameBytesLeft -= m_name.size();
    tensor.name = m_name;
    value.kind = TorchKind::Tensor;
    value.tensor = m_tree.tensors.size();
    m_tree.tensors.push_back(std::move(tensor));
  }

  const ByteSource& m_source;
  const Pickle& m_pickle;
  TorchTree m_tree;
  std::vector<Frame> m_frames;
  std::string m_name;  ///< path to the value that is being read
  std::size_t m_valuesLeft;
  std::size_t m_nameBytesLeft;
  std::string m_problem;
};

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

Result<TorchTree> readTorchTree(const ByteSource& source, const Pickle& pickle) {
  return Walker(source, pickle).run();
}

}  // namespace ulp::tensors
