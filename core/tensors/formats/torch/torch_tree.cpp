#include "core/tensors/formats/torch/torch_tree.h"

#include <string_view>
#include <utility>

#include "core/tensors/archive/name_index.h"
#include "core/tensors/formats/torch/torch_globals.h"

namespace ulp::tensors {
namespace {

constexpr std::size_t kMostDepth = 400;
constexpr std::size_t kLongestPath = 4096;

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
    while (!m_frames.empty() && m_problem.empty()) {
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

Result<TorchTree> readTorchTree(const ByteSource& source, const Pickle& pickle) {
  return Walker(source, pickle).run();
}

}  // namespace ulp::tensors
