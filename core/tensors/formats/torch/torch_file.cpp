#include "core/tensors/formats/torch/torch_file.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/stop_pace.h"
#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/archive/zip_directory.h"
#include "core/tensors/elements/shown_tensor.h"
#include "core/tensors/elements/strided.h"
#include "core/tensors/formats/torch/torch_tree.h"

namespace ulp::tensors {
namespace {

constexpr std::string_view kPickle = "data.pkl";

/// A tensor whose call was understood.
struct RebuiltTensor {
  const ZipMember* storage = nullptr;  ///< null: an empty tensor
  std::span<const std::byte> mapped;   ///< bytes of the storage, where they are stored plainly
  const StoredType* type = nullptr;    ///< null: no plain tensor
  Strides strides;                     ///< in elements
  bool isContiguous = true;
  std::string refused;  ///< why it is not read; empty: it is
};

/// The members of the archive that belong to the object.
struct Members {
  std::vector<ZipMember> all;
  const ZipMember* pickle = nullptr;
  std::string prefix;  ///< folder of data.pkl, with the slash
  std::unordered_map<std::string_view, const ZipMember*> byName;
};

tl::unexpected<Error> notTorch(const ByteSource& source) {
  constexpr std::byte kProtocol{0x80};
  if (!source.bytes.empty() && source.bytes[0] == kProtocol) {
    return source.unsupported(
        "written by torch.save before 1.6 or as a bare pickle; load it and save it again "
        "with torch 1.6 or later");
  }
  return source.corrupt("not a file of torch.save: it is no zip archive");
}

Result<Members> findMembers(const ByteSource& source) {
  Members members;
  members.all = ULP_TRY(readZipDirectory(source));
  members.byName.reserve(members.all.size());
  for (const ZipMember& member : members.all) {
    members.byName.emplace(member.name, &member);
    const bool isPickle = member.name.ends_with(kPickle) &&
                          (member.name.size() == kPickle.size() ||
                           member.name[member.name.size() - kPickle.size() - 1] == '/');
    if (isPickle && members.pickle == nullptr) {
      members.pickle = &member;
      members.prefix = member.name.substr(0, member.name.size() - kPickle.size());
    }
  }
  if (members.pickle == nullptr) {
    return source.corrupt("not a file of torch.save: its zip archive holds no data.pkl");
  }
  return {std::move(members)};
}

Result<> checkByteOrder(const ByteSource& source, const Members& members) {
  const auto found = members.byName.find(members.prefix + "byteorder");
  if (found == members.byName.end()) {
    return {};
  }
  const auto text = ULP_TRY(readZipMember(source, *found->second, 16));
  if (textOf(text.bytes).starts_with("big")) {
    return source.unsupported(
        "its numbers are big-endian; save it again on a little-endian machine");
  }
  return {};
}

std::optional<std::vector<std::int64_t>> integersOf(const Pickle& pickle, const PickleNode* list) {
  if (list != nullptr && list->kind == PickleKind::Call) {  // torch.Size
    const PickleNode* arguments = pickle.item(*list, 1);
    list = arguments == nullptr ? nullptr : pickle.item(*arguments, 0);
  }
  if (list == nullptr || (list->kind != PickleKind::Tuple && list->kind != PickleKind::List)) {
    return std::nullopt;
  }
  std::vector<std::int64_t> integers;
  integers.reserve(list->items.size());
  for (const std::uint32_t item : list->items) {
    const PickleNode& node = pickle.at(item);
    if (node.kind != PickleKind::Integer) {
      return std::nullopt;
    }
    integers.push_back(node.integer);
  }
  return integers;
}

/// Elements that were to be read negated ("neg") or conjugated ("conj") carry a mark instead.
bool hasMark(const Pickle& pickle, const PickleNode* metadata, std::string_view mark) {
  if (metadata == nullptr || metadata->kind != PickleKind::Dict) {
    return false;
  }
  for (std::size_t i = 0; i + 1 < metadata->items.size(); i += 2) {
    const PickleNode& value = pickle.at(metadata->items[i + 1]);
    if (pickle.at(metadata->items[i]).text == mark && value.integer != 0) {
      return true;
    }
  }
  return false;
}

/// Complex numbers as their parts; the view lies within its storage.
void showParts(RebuiltTensor& stored, const StoredType& parts) {
  Strides& strides = stored.strides;
  for (std::size_t i = 0; i < strides.steps.size(); ++i) {
    // Of what is not stepped over a step may be anything.
    const bool isStepped = stored.storage != nullptr && strides.shape[i] > 1;
    strides.steps[i] = isStepped ? 2 * strides.steps[i] : 0;
  }
  strides.shape.push_back(2);
  strides.steps.push_back(1);
  strides.offset = stored.storage == nullptr ? 0 : 2 * strides.offset;
  stored.type = &parts;
}

/// Understands the calls that make tensors.
class TensorReader {
 public:
  TensorReader(const ByteSource& source, const Members& members, const Pickle& pickle)
      : m_source(source), m_members(members), m_pickle(pickle) {}

  [[nodiscard]] Result<RebuiltTensor> read(const TorchTensor& tensor) const {
    RebuiltTensor stored;
    if (tensor.arguments == nullptr) {
      stored.refused = "a " + tensor.kind + " is not read; save its to_dense() or a plain tensor";
      return stored;
    }
    const PickleNode& arguments = *tensor.arguments;
    auto shape = integersOf(m_pickle, m_pickle.item(arguments, 2));
    auto steps = integersOf(m_pickle, m_pickle.item(arguments, 3));
    const PickleNode* offset = m_pickle.item(arguments, 1);
    if (!shape || !steps || offset == nullptr || offset->kind != PickleKind::Integer ||
        offset->integer < 0) {
      return broken(tensor, "offset, shape or stride is missing");
    }
    stored.strides = {
        *std::move(shape), *std::move(steps), static_cast<std::uint64_t>(offset->integer)};
    ULP_TRY(readStorage(tensor, arguments, stored));
    if (!tensor.isPlain) {
      stored.refused = "a " + tensor.kind + " is not read; save its dequantize()";
    } else if (stored.type->showing == Showing::Never && partsOf(*stored.type) == nullptr) {
      stored.refused = notRead(stored.type->name);
    } else {
      const PickleNode* marks = m_pickle.item(arguments, tensor.isV3 ? 7 : 6);
      if (hasMark(m_pickle, marks, "neg")) {
        stored.refused = "a view that is to be read negated; save its resolve_neg()";
      } else if (hasMark(m_pickle, marks, "conj")) {
        stored.refused = "a view that is to be read conjugated; save its resolve_conj()";
      }
    }
    return stored;
  }

 private:
  [[nodiscard]] tl::unexpected<Error> broken(const TorchTensor& tensor,
                                             const std::string& what) const {
    return m_source.corrupt("tensor " + quotedName(tensor.name) + ": " + what);
  }

  /// Finds the storage and the type of the elements, and checks that the view lies within it.
  Result<> readStorage(const TorchTensor& tensor,
                       const PickleNode& arguments,
                       RebuiltTensor& stored) const {
    const PickleNode* persistent = m_pickle.item(arguments, 0);
    const bool isStorage = persistent != nullptr && persistent->kind == PickleKind::Persistent;
    const PickleNode* id = isStorage ? m_pickle.item(*persistent, 0) : nullptr;
    const PickleNode* kind = id != nullptr ? m_pickle.item(*id, 1) : nullptr;
    const PickleNode* key = id != nullptr ? m_pickle.item(*id, 2) : nullptr;
    const PickleNode* count = id != nullptr ? m_pickle.item(*id, 4) : nullptr;
    if (count == nullptr || count->kind != PickleKind::Integer || count->integer < 0 ||
        kind->kind != PickleKind::Global || key->kind != PickleKind::Text) {
      return broken(tensor, "does not say where its elements are");
    }
    stored.type = findStoredType(kind->text, &StoredType::torchStorage);
    if (tensor.isV3) {
      const PickleNode* its = m_pickle.item(arguments, 6);
      const bool isNamed = its != nullptr && its->kind == PickleKind::Global;
      stored.type = isNamed ? findStoredType(its->text) : nullptr;
    }
    if (stored.type == nullptr) {
      return broken(tensor, "its element type is not known");
    }
    const bool isBytes = static_cast<TorchGlobal>(kind->global) == TorchGlobal::UntypedStorage;
    return findStorage(tensor, key->text, {count->integer, isBytes}, stored);
  }

  struct StorageSize {
    std::int64_t count;
    bool isBytes;  ///< else elements
  };

  Result<> findStorage(const TorchTensor& tensor,
                       std::string_view key,
                       StorageSize size,
                       RebuiltTensor& stored) const {
    const auto reach = reachOf(stored.strides);
    if (!reach) {
      return broken(tensor, "its shape and stride are impossible");
    }
    stored.isContiguous = isContiguous(stored.strides);
    if (*reach == 0) {
      return {};
    }
    const std::string name = m_members.prefix + "data/" + std::string(key);
    const auto found = m_members.byName.find(name);
    if (found == m_members.byName.end()) {
      return broken(tensor, "its storage " + quotedName(name) + " is not in the file");
    }
    const std::size_t itemSize = stored.type->itemSize;
    const auto claimed = static_cast<std::uint64_t>(size.count) / (size.isBytes ? itemSize : 1);
    const std::uint64_t available = found->second->size / itemSize;
    if (*reach > claimed || *reach > available) {
      return broken(tensor,
                    "reaches to element " + std::to_string(*reach) + " of a storage of " +
                        std::to_string(std::min(claimed, available)));
    }
    stored.storage = found->second;
    const auto packed = ULP_TRY(packedBytes(m_source, *stored.storage));
    if (stored.storage->isStored()) {
      stored.mapped = packed;
    }
    return {};
  }

  const ByteSource& m_source;
  const Members& m_members;
  const Pickle& m_pickle;
};

class TorchArchive final : public TorchFile {
 public:
  TorchArchive(ByteSource source, Members members, ByteSource pickleBytes)
      : m_source(std::move(source)),
        m_members(std::move(members)),
        m_pickleBytes(std::move(pickleBytes)) {}

  Result<> start() {
    const auto pickle = ULP_TRY(readPickle(m_pickleBytes, findTorchGlobal));
    m_tree = ULP_TRY(readTorchTree(m_pickleBytes, pickle));
    const TensorReader reader(m_source, m_members, pickle);
    m_infos.reserve(m_tree.tensors.size());
    StopPace pace;
    for (TorchTensor& tensor : m_tree.tensors) {
      if (pace.isStopped()) {
        return stopped();
      }
      auto stored = ULP_TRY(reader.read(tensor));
      std::string storedAs = stored.type == nullptr ? tensor.kind : std::string(stored.type->name);
      const StoredType* parts =
          stored.type == nullptr || !stored.refused.empty() ? nullptr : partsOf(*stored.type);
      if (parts != nullptr) {
        showParts(stored, *parts);
      }
      m_infos.push_back({std::move(tensor.name),
                         stored.strides.shape,
                         stored.type == nullptr ? DType::Float32 : stored.type->dtype,
                         std::move(storedAs)});
      m_stored.push_back(std::move(stored));
    }
    makeNamesDifferent();
    m_index = NameIndex(m_infos);
    return {};
  }

  [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_infos; }
  [[nodiscard]] const std::filesystem::path& path() const override { return m_source.path; }
  [[nodiscard]] const TorchValue& root() const override { return m_tree.root; }

  [[nodiscard]] Result<Tensor> read(std::string_view name) const override {
    const auto position = ULP_TRY(m_index.find(m_source.path, name));
    return readAt(position);
  }

  [[nodiscard]] Result<Tensor> readAt(std::size_t position) const override {
    const RebuiltTensor& stored = m_stored[position];
    const TensorInfo& info = m_infos[position];
    const std::string place = info.name.empty() ? "" : ": tensor " + quotedName(info.name);
    return ifIntactAt(m_source.path.string() + place,
                      m_source,
                      stored.refused.empty() ? elements(stored, info)
                                             : fail(ErrorCode::Unsupported, stored.refused));
  }

 private:
  [[nodiscard]] Result<Tensor> elements(const RebuiltTensor& stored, const TensorInfo& info) const {
    if (stored.storage == nullptr) {
      return tensorAt(m_source, 0, info.dtype, info.shape);
    }
    ByteSource storage{m_source.path, stored.mapped, m_source.owner, m_source.file};
    if (!stored.storage->isStored()) {
      storage = ULP_TRY(readZipMember(m_source, *stored.storage));
    }
    std::size_t offset = stored.strides.offset * stored.type->itemSize;
    if (!stored.isContiguous) {
      auto gathered = ULP_TRY(gather(storage.bytes, stored.type->itemSize, stored.strides));
      const std::size_t size = *checkedCount(info.shape) * stored.type->itemSize;
      storage = {m_source.path, {gathered.get(), size}, gathered};
      offset = 0;
    }
    return shownTensor(storage, offset, *stored.type, info);
  }

  /// {"a.b": x, "a": {"b": y}} would give two tensors one name.
  void makeNamesDifferent() {
    if (m_infos.size() < 2) {
      return;
    }
    std::unordered_set<std::string> names;
    names.reserve(m_infos.size());
    std::unordered_map<std::string, std::size_t> numbers;  // the last one that a name was given
    for (TensorInfo& info : m_infos) {
      if (names.insert(info.name).second) {
        continue;
      }
      const std::string name = info.name;
      std::size_t& number = numbers.try_emplace(name, 1).first->second;
      do {
        info.name = name + " (" + std::to_string(++number) + ")";
      } while (!names.insert(info.name).second);
    }
  }

  ByteSource m_source;
  Members m_members;
  ByteSource m_pickleBytes;  ///< texts of the tree lie in it
  TorchTree m_tree;
  std::vector<TensorInfo> m_infos;
  std::vector<RebuiltTensor> m_stored;  ///< one for each tensor
  NameIndex m_index;
};

}  // namespace

const TorchValue* TorchValue::find(std::string_view name) const {
  const auto found = std::ranges::find(items, name, &TorchValue::key);
  return kind != TorchKind::Dict || found == items.end() ? nullptr : &*found;
}

Result<std::shared_ptr<const TorchFile>> TorchFile::parse(ByteSource source) {
  if (!isZip(source.bytes)) {
    return notTorch(source);
  }
  auto members = ULP_TRY(findMembers(source));
  ULP_TRY(checkByteOrder(source, members));
  ULP_TRY(checkPickleSize(source, members.pickle->size));
  auto pickle = ULP_TRY(readZipMember(source, *members.pickle));
  auto file =
      std::make_shared<TorchArchive>(std::move(source), std::move(members), std::move(pickle));
  ULP_TRY(file->start());
  return file;
}

Result<std::shared_ptr<const TorchFile>> TorchFile::open(const std::filesystem::path& path) {
  auto source = ULP_TRY(openByteSource(path));
  return parse(std::move(source));
}

Result<Tensor> readTorchTensor(const std::filesystem::path& path) {
  const auto file = ULP_TRY(TorchFile::open(path));
  const std::size_t count = file->tensors().size();
  if (count != 1) {
    return fail(
        ErrorCode::InvalidArgument,
        path.string() + ": holds " + std::to_string(count) + " tensors where one was expected");
  }
  return file->readAt(0);
}

}  // namespace ulp::tensors
