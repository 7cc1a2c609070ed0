#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/list_of.h"
#include "core/base/text/parse_number.h"
#include "core/dumps/importers/file_unit.h"
#include "core/dumps/importers/importer.h"
#include "core/dumps/model/folders.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSeparator = "___";

using Tags = std::vector<std::pair<std::string, std::string>>;

const std::string* find(const Tags& tags, std::string_view key) {
  const auto found = std::ranges::find(tags, key, &Tags::value_type::first);
  return found == tags.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> numberOfTag(const Tags& tags, std::string_view key) {
  const std::string* value = find(tags, key);
  return value == nullptr ? std::nullopt : parseNumber<std::int64_t>(*value);
}

/// "step=0___rank=1___name=x" as key and value; nothing where a part is none.
std::optional<Tags> tagsOf(std::string_view stem) {
  Tags tags;
  while (!stem.empty()) {
    const std::size_t end = std::min(stem.find(kSeparator), stem.size());
    const std::string_view tag = stem.substr(0, end);
    const std::size_t equals = tag.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return std::nullopt;
    }
    tags.emplace_back(tag.substr(0, equals), tag.substr(equals + 1));
    stem.remove_prefix(std::min(end + kSeparator.size(), stem.size()));
  }
  return find(tags, "name") != nullptr ? std::optional(std::move(tags)) : std::nullopt;
}

/// A file of either of SGLang's dumpers.
struct DumpedFile {
  fs::path path;
  UnitAxes axes;
  std::int64_t place = 0;  ///< in its unit
  Tags tags;               ///< of a single tensor; empty: all outputs of one forward pass
};

/// TP0_PP0_Rank0_pid123/Pass00001.pt, which --debug-tensor-dump-output-folder writes.
std::optional<DumpedFile> passFile(const fs::path& file) {
  constexpr std::string_view kPass = "Pass";
  constexpr std::string_view kRank = "_Rank";
  const std::string stem = file.stem().string();
  const std::string folder = file.parent_path().filename().string();
  const std::size_t rank = folder.find(kRank);
  if (!stem.starts_with(kPass) || !folder.starts_with("TP") || rank == std::string::npos) {
    return std::nullopt;
  }
  const std::string_view number = std::string_view(folder).substr(rank + kRank.size());
  DumpedFile dumped{.path = file, .axes = {}, .tags = {}};
  dumped.axes.step = parseNumber<std::int64_t>(std::string_view(stem).substr(kPass.size()));
  dumped.axes.rank =
      parseNumber<std::int64_t>(number.substr(0, std::min(number.find('_'), number.size())));
  return dumped.axes.step && dumped.axes.rank ? std::optional(std::move(dumped)) : std::nullopt;
}

/// step=0___rank=0___dump_index=1___name=x….pt of debug_utils/dumper.py; earlier versions call the
/// step forward_pass_id, and the first ones put the rank behind the name of the folder.
std::optional<DumpedFile> dumpedFile(const fs::path& file) {
  if (file.extension() != ".pt") {
    return std::nullopt;
  }
  auto tags = tagsOf(file.stem().string());
  if (!tags) {
    return passFile(file);
  }
  DumpedFile dumped{.path = file, .axes = {}, .tags = std::move(*tags)};
  dumped.axes.step = numberOfTag(dumped.tags, "step");
  if (!dumped.axes.step) {
    dumped.axes.step = numberOfTag(dumped.tags, "forward_pass_id");
  }
  dumped.axes.rank = numberOfTag(dumped.tags, "rank");
  dumped.place = numberOfTag(dumped.tags, "dump_index").value_or(0);
  const std::string folder = file.parent_path().filename().string();
  if (!dumped.axes.rank && folder.starts_with("sglang_dump_")) {
    dumped.axes.rank =
        parseNumber<std::int64_t>(std::string_view(folder).substr(folder.rfind('_') + 1));
  }
  return dumped;
}

/// Files of the dumpers below a folder, or the one that `path` is.
template <class Use>
void eachDumped(const fs::path& path, const Use& use) {
  if (!isFolder(path)) {
    use(dumpedFile(path));
    return;
  }
  eachFile(path, [&](const fs::path& file) { return use(dumpedFile(file)); });
}

/// Removes `prefix` from the front of `name`; false where it is not there.
bool take(std::string_view& name, std::string_view prefix) {
  const bool is = name.starts_with(prefix);
  name.remove_prefix(is ? prefix.size() : 0);
  return is;
}

/// "model.norm.weight"
void describeParameter(std::string_view name, bool isGradient, DumpEntry& entry, DumpRow& row) {
  const std::size_t dot = std::min(name.rfind('.'), name.size());
  entry.kind = isGradient ? EntryKind::Gradient : EntryKind::Module;
  entry.pass = isGradient ? Pass::ParameterGradient : Pass::Forward;
  entry.module = name.substr(0, dot);
  row.role = isGradient ? Role::ParameterGradient : Role::Parameter;
  row.index = name.substr(std::min(dot + 1, name.size()));
}

/// "model.norm.inputs.0", "model.norm.output", "model.norm.output.1"
void describeModule(std::string_view name, bool isGradient, DumpEntry& entry, DumpRow& row) {
  constexpr std::string_view kInputs = ".inputs.";
  constexpr std::string_view kOutput = ".output";
  const std::size_t inputs = name.rfind(kInputs);
  const bool isInput = inputs != std::string_view::npos;
  const std::size_t end = isInput ? inputs : name.rfind(kOutput);
  if (end == std::string_view::npos) {
    return;
  }
  entry.kind = EntryKind::Module;
  entry.module = name.substr(0, end);
  name.remove_prefix(end + (isInput ? kInputs : kOutput).size());
  static_cast<void>(take(name, "."));
  row.index = name;
  if (isInput) {
    row.role = isGradient ? Role::InputGradient : Role::Input;
  } else {
    row.role = isGradient ? Role::OutputGradient : Role::Output;
  }
}

/// What the name of a tensor says: "grad__x", "param__x", "non_intrusive__model.norm.inputs.0".
void describeDumped(std::string_view name, DumpEntry& entry, DumpRow& row) {
  const bool isGradient = take(name, "grad__");
  if (take(name, "param__")) {
    describeParameter(name, isGradient, entry, row);
    return;
  }
  entry.pass = isGradient ? Pass::Backward : Pass::Forward;
  row.role = isGradient ? Role::OutputGradient : Role::Value;
  if (take(name, "non_intrusive__")) {
    describeModule(name, isGradient, entry, row);
  }
}

/// Whatever else than its name distinguishes a dumped tensor: " [layer_id=3]".
std::string othersOf(const Tags& tags) {
  std::string others;
  for (const auto& [key, value] : tags) {
    const bool isPlace = key == "name" || key == "step" || key == "forward_pass_id" ||
                         key.ends_with("rank") || key == "dump_index" ||
                         (key == "recompute_status" && value == "disabled");
    if (!isPlace) {
      others += fmt::format("{}{}={}", others.empty() ? "" : ", ", key, value);
    }
  }
  return others.empty() ? others : fmt::format(" [{}]", others);
}

/// What all tensors of a call of a module are called, or all gradients of its parameters.
std::string nameOfCall(const DumpEntry& entry) {
  const bool isBackward = entry.pass == Pass::Backward;
  return fmt::format("{}{}",
                     entry.kind == EntryKind::Gradient ? "grad__param__"
                     : isBackward                      ? "grad__non_intrusive__"
                                                       : "non_intrusive__",
                     entry.module);
}

/// A call while its tensors are gathered, each of which has a file of its own.
struct GatheredCall {
  struct Tensor {
    DumpRow row;
    std::size_t file;
    const tensors::TensorInfo* info;
  };
  DumpEntry entry;
  std::vector<Tensor> tensors{};
  std::set<std::pair<Role, std::string>> held{};  ///< roles and indices of the tensors
  std::size_t place = 0;  ///< of the last tensor that it read or made, among all
};

class SglangUnitBuilder {
 public:
  SglangUnitBuilder(const std::vector<DumpedFile>& files, std::vector<TensorFileIndex> indices)
      : m_files(files), m_indices(std::move(indices)) {}

  std::shared_ptr<const FileUnit> build(const UnitAxes& axes) {
    m_unit->axes = axes;
    const std::string unnamed;  // with a literal in its place, g++ 12 warns of reads behind its end
    for (std::size_t file = 0; file < m_files.size(); ++file) {
      if (!m_indices[file].problem.empty()) {
        m_unit->notes.emplace_back(m_indices[file].problem);
        addRow(nameFor(file, unnamed), describedName(file, unnamed), file, nullptr);
      }
      for (const tensors::TensorInfo& info : m_indices[file].tensors) {
        if (!m_files[file].tags.empty() && info.name.starts_with("meta.")) {
          continue;
        }
        addRow(nameFor(file, info.name), describedName(file, info.name), file, &info);
      }
    }
    addCalls();
    m_unit->setFiles(listOf(m_files, &DumpedFile::path));
    return m_unit;
  }

 private:
  /// The tensor of a file is "" or, with what is known of it, "value"; a tuple has several.
  static std::string_view partOf(std::string_view tensor) {
    constexpr std::string_view kValue = "value";
    tensor.remove_prefix(tensor.starts_with(kValue) ? kValue.size() : 0);
    tensor.remove_prefix(tensor.starts_with('.') ? 1 : 0);
    return tensor;
  }

  [[nodiscard]] std::string nameFor(std::size_t file, std::string_view tensor) const {
    if (m_files[file].tags.empty()) {
      return std::string(tensor);
    }
    const std::string_view part = partOf(tensor);
    const Tags& tags = m_files[file].tags;
    std::string name = *find(tags, "name") + othersOf(tags);
    return part.empty() ? name : fmt::format("{}.{}", name, part);
  }

  /// The name as describeDumped() understands it.
  [[nodiscard]] std::string describedName(std::size_t file, std::string_view tensor) const {
    if (m_files[file].tags.empty()) {
      return fmt::format("non_intrusive__{}.output", tensor);
    }
    const std::string& name = *find(m_files[file].tags, "name");
    const std::string_view part = partOf(tensor);
    return part.empty() ? name : fmt::format("{}.{}", name, part);
  }

  void addRow(std::string name,
              const std::string& described,
              std::size_t file,
              const tensors::TensorInfo* info) {
    DumpEntry entry{.name = name};
    DumpRow row{.name = std::move(name)};
    describeDumped(described, entry, row);
    const Tags& tags = m_files[file].tags;
    if (entry.kind != EntryKind::Tensor && !tags.empty()) {
      entry.name = nameOfCall(entry) + othersOf(tags);
    }
    GatheredCall& call = callOf(std::move(entry), row);
    // Parameters are dumped at any time: they say nothing of when the call was.
    if (call.tensors.empty() || row.role != Role::Parameter) {
      call.place = m_count;
    }
    call.held.emplace(row.role, row.index);
    call.tensors.push_back({std::move(row), file, info});
    ++m_count;
  }

  /// The last call of the name, of a parameter rather the first one; a new one where it holds such
  /// a tensor already.
  GatheredCall& callOf(DumpEntry entry, const DumpRow& row) {
    std::vector<std::size_t>& its = m_byName[entry.name];
    const auto isFree = [&](std::size_t call) {
      return !m_calls[call].held.contains({row.role, row.index});
    };
    if (entry.kind != EntryKind::Tensor && !its.empty()) {
      if (row.role == Role::Parameter && isFree(its.front())) {
        return m_calls[its.front()];
      }
      if (isFree(its.back())) {
        return m_calls[its.back()];
      }
    }
    entry.call = its.size();
    its.push_back(m_calls.size());
    m_calls.push_back({.entry = std::move(entry)});
    return m_calls.back();
  }

  void addCalls() {
    std::ranges::stable_sort(m_calls, {}, &GatheredCall::place);
    for (GatheredCall& call : m_calls) {
      m_unit->addEntry(std::move(call.entry));
      for (auto& [row, file, info] : call.tensors) {
        m_unit->addToLast(std::move(row), file, info);
      }
    }
  }

  const std::vector<DumpedFile>& m_files;
  std::vector<TensorFileIndex> m_indices;
  std::shared_ptr<FileUnit> m_unit = std::make_shared<FileUnit>();
  std::vector<GatheredCall> m_calls;
  std::unordered_map<std::string, std::vector<std::size_t>> m_byName;  ///< places in m_calls
  std::size_t m_count = 0;                                             ///< tensors so far
};

Result<DumpUnitPtr> openSglangUnit(const std::vector<DumpedFile>& files,
                                   const UnitAxes& axes,
                                   const std::stop_token& stop,
                                   const Progress& progress) {
  auto indices = ULP_TRY(indexTensorFiles(listOf(files, &DumpedFile::path), stop, progress));
  return SglangUnitBuilder(files, std::move(indices)).build(axes);
}

Claim recogniseSglang(const fs::path& path) {
  Claim claim = Claim::No;
  std::size_t looked = 0;
  eachDumped(path, [&](const std::optional<DumpedFile>& file) {
    // Its tags are marks of SGLang where they say the place in the dump.
    const bool isMarked = file && (file->axes.step || file->axes.rank);
    claim = isMarked ? Claim::Certain : claim;
    return !isMarked && ++looked < kMostLookedAt;
  });
  return claim;
}

Result<Dump> openSglang(const fs::path& path, const std::stop_token& /*stop*/) {
  std::vector<DumpedFile> files;
  eachDumped(path, [&](std::optional<DumpedFile> file) {
    if (file) {
      files.push_back(*std::move(file));
    }
    return true;
  });
  if (files.empty()) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: no file that SGLang's dumpers name", path.string()));
  }
  std::ranges::sort(files, [](const DumpedFile& a, const DumpedFile& b) {
    const auto key = [](const DumpedFile& file) {
      return std::tuple(file.axes.step, file.axes.rank, file.place);
    };
    return key(a) != key(b) ? key(a) < key(b) : naturallyBefore(a.path.string(), b.path.string());
  });
  Dump dump{.format = "dump of SGLang"};
  for (auto first = files.begin(); first != files.end();) {
    const auto end = std::find_if(
        first, files.end(), [&](const DumpedFile& file) { return file.axes != first->axes; });
    dump.units.push_back(
        {.axes = first->axes,
         .path = first->path.parent_path(),
         .open = [its = std::make_shared<const std::vector<DumpedFile>>(first, end)](
                     const UnitInfo& unit, const std::stop_token& stop, const Progress& progress) {
           return openSglangUnit(*its, unit.axes, stop, progress);
         }});
    first = end;
  }
  return dump;
}

}  // namespace

void registerSglang(ImporterRegistry& registry) {
  registry.add({"sglang",
                "dump of SGLang (debug_utils.dumper, tensor dumps of forward passes)",
                recogniseSglang,
                openSglang,
                {"SGLang", 40}});
}

}  // namespace ulp::dumps
