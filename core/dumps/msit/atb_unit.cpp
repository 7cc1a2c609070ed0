#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "core/dumps/model/folders.h"
#include "core/dumps/msit/recorded_unit.h"

namespace ulp::dumps::msit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDeepestFolder = 64;
constexpr std::string_view kAtbExtension = ".bin";

/// "12_Attention"
struct OperationFolder {
  std::uint64_t order = 0;
  std::string type;
  fs::path path;
};

std::optional<OperationFolder> asOperation(const fs::path& folder) {
  const std::string name = folder.filename().string();
  OperationFolder operation{.order = 0, .type = {}, .path = folder};
  const auto [end, problem] =
      std::from_chars(name.data(), name.data() + name.size(), operation.order);
  const auto digits = static_cast<std::size_t>(end - name.data());
  std::error_code status;
  const bool isFolder = fs::is_directory(fs::symlink_status(folder, status));
  if (problem != std::errc() || digits + 1 >= name.size() || name[digits] != '_' || !isFolder) {
    return std::nullopt;
  }
  operation.type = name.substr(digits + 1);
  return operation;
}

std::vector<OperationFolder> operationsIn(const fs::path& folder) {
  std::vector<OperationFolder> operations;
  for (const std::string& name : folderNames(folder)) {
    if (auto operation = asOperation(folder / name)) {
      operations.push_back(std::move(*operation));
    }
  }
  std::ranges::stable_sort(operations, {}, &OperationFolder::order);
  return operations;
}

/// "intensor2.bin" in before/ or after/
struct TensorFile {
  fs::path path;
  std::string name;  ///< "after/outtensor0"
  bool isInput = false;
  bool isBefore = false;
  std::uint64_t index = 0;

  /// Inputs as they were read, outputs as they were made; the rest shows changes in place.
  [[nodiscard]] bool isOfItsTime() const { return isInput == isBefore; }
  [[nodiscard]] auto order() const { return std::tuple(!isInput, index, !isOfItsTime()); }
};

std::vector<TensorFile> tensorsOf(const fs::path& operation) {
  std::vector<TensorFile> tensors;
  for (const std::string_view time : {"before", "after"}) {
    for (const std::string& file : folderNames(operation / time)) {
      const bool isInput = file.starts_with("intensor");
      if (!file.ends_with(kAtbExtension) || (!isInput && !file.starts_with("outtensor"))) {
        continue;
      }
      const std::string stem = file.substr(0, file.size() - kAtbExtension.size());
      TensorFile tensor{.path = operation / time / file,
                        .name = fmt::format("{}/{}", time, stem),
                        .isInput = isInput,
                        .isBefore = time == "before"};
      const std::string_view digits =
          std::string_view(stem).substr(isInput ? sizeof "intensor" - 1 : sizeof "outtensor" - 1);
      std::from_chars(digits.data(), digits.data() + digits.size(), tensor.index);
      tensors.push_back(std::move(tensor));
    }
  }
  std::ranges::stable_sort(tensors, {}, &TensorFile::order);
  return tensors;
}

/// Walks through the folders without recursion.
class OperationReader {
 public:
  explicit OperationReader(const UnitAxes& axes) : m_unit(std::make_shared<RecordedUnit>()) {
    m_unit->axes = axes;
  }

  void read(const OperationFolder& top) {
    open(top, kNone);
    while (!m_open.empty()) {
      Level& level = m_open.back();
      if (level.next < level.children.size()) {
        const OperationFolder child = level.children[level.next++];
        open(child, m_open.size() - 1);
      } else {
        close();
      }
    }
  }
  [[nodiscard]] std::shared_ptr<RecordedUnit> take() { return std::move(m_unit); }

 private:
  struct Level {
    OperationFolder operation;
    std::string name;  ///< "1_DecoderLayer/1_Attention"
    std::vector<OperationFolder> children;
    std::size_t next = 0;
    std::vector<std::size_t> inside{};  ///< entries that have this one as parent
  };

  void open(const OperationFolder& operation, std::size_t parent) {
    std::string name = operation.path.filename().string();
    if (parent != kNone) {
      name = m_open[parent].name + "/" + name;
    }
    std::vector<OperationFolder> children;
    if (m_open.size() < kDeepestFolder) {
      children = operationsIn(operation.path);
    } else {
      m_unit->notes.push_back(fmt::format("{}: folders nested more than {} deep are left out",
                                          operation.path.string(),
                                          kDeepestFolder));
    }
    m_open.push_back(
        {.operation = operation, .name = std::move(name), .children = std::move(children)});
  }

  void close() {
    const Level level = std::move(m_open.back());
    m_open.pop_back();
    const std::vector<TensorFile> tensors = tensorsOf(level.operation.path);
    if (tensors.empty()) {
      handOn(level.inside);
      return;
    }
    const bool isModule = !level.children.empty();
    const std::string outer = m_open.empty() ? std::string() : m_open.back().name;
    const std::size_t entry =
        m_unit->addEntry({.name = level.name,
                          .kind = isModule ? EntryKind::Module : EntryKind::Api,
                          .module = isModule ? level.name : outer,
                          .operation = level.operation.type});
    for (const TensorFile& tensor : tensors) {
      addTensor(level, tensor);
    }
    for (const std::size_t inner : level.inside) {
      m_unit->entries[inner].parent = entry;
    }
    handOn({entry});
  }

  void handOn(const std::vector<std::size_t>& entries) {
    if (!m_open.empty()) {
      std::vector<std::size_t>& inside = m_open.back().inside;
      inside.insert(inside.end(), entries.begin(), entries.end());
    }
  }

  void addTensor(const Level& level, const TensorFile& tensor) {
    const Role role = tensor.isInput ? Role::Input : Role::Output;
    const std::string index = std::to_string(tensor.index);
    m_unit->addRow({.name = level.name + "/" + tensor.name,
                    .role = tensor.isOfItsTime() ? role : Role::Value,
                    .index = tensor.isOfItsTime() ? index : tensor.name},
                   tensor.path);
  }

  std::shared_ptr<RecordedUnit> m_unit;
  std::vector<Level> m_open;
};

}  // namespace

Result<std::shared_ptr<RecordedUnit>> readOperations(const fs::path& folder,
                                                     const OrderRange& range,
                                                     const UnitAxes& axes,
                                                     const std::stop_token& stop,
                                                     const Progress& progress) {
  OperationReader reader(axes);
  const std::vector<OperationFolder> operations = operationsIn(folder);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "reading cancelled");
    }
    if (operations[i].order >= range.first && (!range.end || operations[i].order < *range.end)) {
      reader.read(operations[i]);
    }
    if (progress) {
      progress(i + 1, operations.size());
    }
  }
  return reader.take();
}

Result<DumpUnitPtr> readAtbToken(const Process& process,
                                 const TokenFolder& token,
                                 const UnitAxes& axes,
                                 const std::stop_token& stop,
                                 const Progress& progress) {
  OrderRange range;
  if (token.model != kNone && process.models.back().nodes.size() > 1) {
    const std::uint64_t decode = process.models.back().nodes[1].order;
    range = token.model == 0 ? OrderRange{.first = 0, .end = decode} : OrderRange{.first = decode};
  }
  auto unit = ULP_TRY(readOperations(token.path, range, axes, stop, progress));
  unit->structure = std::make_shared<const ModelStructure>(
      ModelStructure{.models = process.models, .isAtb = true});
  return {std::move(unit)};
}

}  // namespace ulp::dumps::msit
