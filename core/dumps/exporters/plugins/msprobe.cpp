#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <system_error>
#include <utility>

#include "core/base/files/in_pieces.h"
#include "core/dumps/exporters/dump_exporter.h"
#include "core/dumps/exporters/exported_names.h"
#include "core/dumps/exporters/msprobe_entry.h"
#include "core/dumps/exporters/python_json.h"
#include "core/dumps/exporters/torch_statistics.h"
#include "core/dumps/model/checksum.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/msprobe/process_folder.h"
#include "core/json/dump.h"
#include "core/tensors/elements/stored_type.h"
#include "core/tensors/formats/torch/torch_writer.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;

/// msprobe has steps and ranks. Runs, and tokens beside steps, are dumps of their own above them.
fs::path placeForMsprobe(const UnitAxes& axes, bool isOnly) {
  const bool hasBoth = axes.step && axes.token;
  fs::path place = placeOfAxes(
      {.run = isOnly ? std::string() : axes.run, .token = hasBoth ? axes.token : std::nullopt});
  place /= fmt::format("step{}", axes.step.value_or(axes.token.value_or(0)));
  // What is not distributed is called after its process.
  return place / (axes.rank ? fmt::format("rank{}", *axes.rank) : std::string("proc0"));
}

/// A number as JSON writes it: "-3", "1e-05"; not "007", "1." or ".5". However large: Python's
/// integers have no limit.
bool isJsonNumber(std::string_view text) {
  const auto take = [&](std::string_view anyOf) {
    const bool is = !text.empty() && anyOf.find(text.front()) != std::string_view::npos;
    text.remove_prefix(is ? 1 : 0);
    return is;
  };
  const auto takeDigits = [&] {
    const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count;
  };
  take("-");
  const bool beginsWithZero = text.starts_with('0');
  const std::size_t whole = takeDigits();
  bool isNumber = whole == 1 || (whole > 1 && !beginsWithZero);
  if (take(".")) {
    isNumber = takeDigits() > 0 && isNumber;
  }
  if (take("eE")) {
    take("+-");
    isNumber = takeDigits() > 0 && isNumber;
  }
  return isNumber && text.empty();
}

/// An argument that is no tensor: its type is what Python's text of it looks like.
void writeArgument(PythonJson& json, const std::string& value) {
  struct Word {
    std::string_view python;
    std::string_view type;
    std::string_view json;
  };
  constexpr std::array<Word, 5> kWords{{{"True", "bool", "true"},
                                        {"False", "bool", "false"},
                                        {"inf", "float", "Infinity"},
                                        {"-inf", "float", "-Infinity"},
                                        {"nan", "float", "NaN"}}};
  const auto write = [&](std::string_view type) -> PythonJson& {
    return json.beginObject().key("type").text(type).key("value");
  };
  const auto* const word = std::ranges::find(kWords, value, &Word::python);
  if (word != kWords.end()) {
    write(word->type).word(word->json);
  } else if (isJsonNumber(value)) {
    write(value.find_first_of(".eE") == std::string::npos ? "int" : "float").word(value);
  } else {
    write("str").text(value);
  }
  json.endObject();
}

/// A type's name as torch prints it; one that torch does not have as the dump calls it.
std::string typeName(const std::string& dtype) {
  return tensors::findStoredType(dtype) == nullptr ? dtype : "torch." + dtype;
}

void writeShape(PythonJson& json, const std::vector<std::int64_t>& shape) {
  json.key("shape").beginList();
  for (const std::int64_t extent : shape) {
    json.word(std::to_string(extent));
  }
  json.endList();
}

class UnitWriter {
 public:
  explicit UnitWriter(const UnitExport& unit)
      : m_unit(unit),
        m_source(unit.unit),
        m_reader(unit, "are written without elements"),
        m_names(unit.dump.importer != "msprobe"),
        m_isChosen(unit.unit.rows.size(), false),
        m_entryNames(unit.unit.entries.size()),
        m_hasChecksums(unit.dump.checksumKind == kCrc32OfBytes ||
                       unit.dump.checksumKind == kXorOfBytes) {
    for (const std::size_t row : unit.rows) {
      m_isChosen[row] = true;
      m_hasFiles = m_hasFiles || m_source.rows[row].hasElements;
    }
    m_hasFiles = m_hasFiles && !unit.options.isStatisticsOnly;
    nameEntries();
  }

  Result<std::size_t> write() {
    ULP_TRY(makeTensorFolder());
    ULP_TRY(writeData());
    ULP_TRY(writeStacks());
    ULP_TRY(writeConstruct());
    m_conversions.note(m_unit.notes);
    return m_written;
  }

 private:
  /// Those with rows that are written, and where nothing was chosen by name also those without
  /// rows.
  void nameEntries() {
    bool hasModules = false;
    bool hasApis = false;
    for (std::size_t i = 0; i < m_source.entries.size(); ++i) {
      const DumpEntry& entry = m_source.entries[i];
      const auto first = m_isChosen.begin() + static_cast<std::ptrdiff_t>(entry.firstRow);
      const auto last = first + static_cast<std::ptrdiff_t>(entry.rowCount);
      const bool isWritten = std::find(first, last, true) != last ||
                             (m_unit.options.match.empty() && entry.rowCount == 0);
      if (!isWritten) {
        continue;
      }
      m_entryNames[i] =
          m_names.entry(entry, entry.rowCount > 0 ? m_source.rows[entry.firstRow].name : "unnamed");
      m_hasParents = m_hasParents || entry.parent != kNone;
      const bool isCall = !isSavedValue(entry);
      hasApis = hasApis || (isCall && entry.kind == EntryKind::Api);
      hasModules = hasModules || (isCall && entry.kind != EntryKind::Api);
    }
    m_level = hasApis && hasModules ? "mix" : hasApis ? "L1" : hasModules ? "L0" : "debug";
  }

  [[nodiscard]] Result<> makeTensorFolder() const {
    std::error_code failure;
    if (m_hasFiles) {
      fs::create_directory(m_unit.folder / msprobe::kTensorFolder, failure);
    }
    return checkMade(m_unit.folder, failure);
  }

  Result<> writeData() {
    auto json = ULP_TRY(
        PythonJson::create(m_unit.folder / (m_level == "debug" ? "debug.json" : "dump.json")));
    json.beginObject();
    json.key("task").text(m_hasFiles ? "tensor" : "statistics");
    json.key("level").text(m_level);
    json.key("framework").text("pytorch");
    json.key("dump_data_dir").word(m_hasFiles ? json::quoted(msprobe::kTensorFolder) : "null");
    json.key("data").beginObject();
    for (std::size_t i = 0; i < m_source.entries.size(); ++i) {
      if (m_entryNames[i].empty()) {
        continue;
      }
      json.key(m_entryNames[i]);
      const MsprobeEntry entry = makeMsprobeEntry(m_source, m_source.entries[i], m_isChosen);
      for (const auto& [row, behind] : entry.files) {
        m_files[row] = m_names.file(m_entryNames[i], behind);
      }
      ULP_TRY(writeNode(json, entry.root));
      m_files.clear();
    }
    json.endObject().endObject();
    return json.finish();
  }

  Result<> writeNode(PythonJson& json, const ArgumentNode& node) {
    if (node.isLeaf()) {
      return writeLeaf(json, node.row);
    }
    if (node.isList()) {
      json.beginList();
      for (const ArgumentNode* item : node.listItems()) {
        if (item == nullptr) {
          json.word("null");
        } else {
          ULP_TRY(writeNode(json, *item));
        }
      }
      json.endList();
      return {};
    }
    json.beginObject();
    for (const ArgumentNode& child : node.children) {
      json.key(child.key);
      ULP_TRY(writeNode(json, child));
    }
    json.endObject();
    return {};
  }

  Result<> writeLeaf(PythonJson& json, std::size_t row) {
    auto written = writeRow(json, row);
    m_unit.progress(++m_done, m_unit.rows.size());
    return written;
  }

  Result<> writeRow(PythonJson& json, std::size_t row) {
    const DumpRow& its = m_source.rows[row];
    if (its.dtype.empty() && !its.hasElements) {
      if (!its.argument.empty()) {
        json.argument(its.argument);
      } else if (its.value.empty()) {
        json.word("null");
      } else {
        writeArgument(json, its.value);
      }
      ++m_written;
      return {};
    }
    bool isRead = false;
    if (its.hasElements) {
      ULP_TRY(m_reader.read(row, [&](const tensors::Tensor& tensor) {
        isRead = true;
        return writeTensor(json, row, tensor);
      }));
    }
    if (!isRead && its.dtype.empty()) {
      json.word("null");  // nobody knows what the file held
    } else if (!isRead) {
      begin(json, typeName(its.dtype), its.shape);
      end(json, its, statisticTexts(its.statistics, its.dtype));
      json.endObject();
    }
    // Of elements that cannot be read, nothing is left where no numbers were recorded.
    m_written += isRead || !its.hasElements || !its.statistics.isEmpty() ? 1 : 0;
    return {};
  }

  /// With what was recorded of the elements; else with what they are.
  Result<> writeTensor(PythonJson& json, std::size_t row, const tensors::Tensor& read) {
    const DumpRow& its = m_source.rows[row];
    const numerics::TensorView& tensor = read.view;
    m_conversions.add(its, tensor.dtype, tensor.dtype);
    // In one pass with the writing: a tensor may be larger than the memory.
    TorchStatistics made(tensor);
    const SeePiece see = its.statistics.isEmpty()
                             ? [&](std::span<const std::byte> piece) { made.add(piece); }
                             : SeePiece();
    const MappedFile* const from = read.file.get();
    if (m_hasFiles) {
      const fs::path file = m_unit.folder / msprobe::kTensorFolder / m_files.at(row);
      ULP_TRY(tensors::writeTorchTensor(file, tensor, Durability::WithItsFolder, from, see));
    } else if (see) {
      ULP_TRY(inPieces(tensor.bytes(), from, see));
    }
    begin(json, fmt::format("torch.{}", toString(tensor.dtype)), tensor.shape);
    end(json, its, see ? made.texts() : statisticTexts(its.statistics, its.dtype));
    if (m_hasFiles) {
      json.key("data_name").text(m_files.at(row));
    }
    json.endObject();
    return {};
  }

  static void begin(PythonJson& json,
                    const std::string& dtype,
                    const std::vector<std::int64_t>& shape) {
    json.beginObject().key("type").text("torch.Tensor").key("dtype").text(dtype);
    writeShape(json, shape);
  }

  void end(PythonJson& json, const DumpRow& row, const StatisticTexts& statistics) const {
    std::size_t each = 0;
    for (const char* name : {"Max", "Min", "Mean", "Norm"}) {
      json.key(name).word(statistics.at(each++));
    }
    if (row.requiresGrad) {
      json.key("requires_grad").flag(*row.requiresGrad);
    }
    if (m_hasChecksums && !row.checksum.empty()) {
      json.key("md5").text(row.checksum);
    }
  }

  Result<> writeStacks() const {
    std::map<std::size_t, std::vector<std::size_t>> calls;
    for (std::size_t i = 0; i < m_source.entries.size(); ++i) {
      if (!m_entryNames[i].empty() && m_source.entries[i].stack != kNone) {
        calls[m_source.entries[i].stack].push_back(i);
      }
    }
    if (calls.empty()) {
      return {};
    }
    auto json = ULP_TRY(PythonJson::create(m_unit.folder / "stack.json"));
    json.beginObject();
    std::size_t number = 0;
    for (const auto& [stack, entries] : calls) {
      json.key(std::to_string(number++)).beginList().beginList();
      for (const std::size_t entry : entries) {
        json.text(m_entryNames[entry]);
      }
      json.endList().texts(m_source.stacks[stack]).endList();
    }
    json.endObject();
    return json.finish();
  }

  Result<> writeConstruct() const {
    std::map<std::pair<Pass, std::string_view>, std::size_t> modules;
    for (std::size_t i = 0; i < m_source.entries.size(); ++i) {
      const DumpEntry& entry = m_source.entries[i];
      if (!m_entryNames[i].empty() && entry.kind == EntryKind::Module && !isSavedValue(entry)) {
        modules.emplace(std::pair(entry.pass, std::string_view(entry.module)), i);
      }
    }
    auto json = ULP_TRY(PythonJson::create(m_unit.folder / "construct.json"));
    json.beginObject();
    for (std::size_t i = 0; i < m_source.entries.size(); ++i) {
      const EntryKind kind = m_source.entries[i].kind;
      if (m_entryNames[i].empty() || (kind != EntryKind::Module && kind != EntryKind::Api)) {
        continue;
      }
      const std::size_t parent = parentOf(i, modules);
      json.key(m_entryNames[i])
          .word(parent == kNone ? "null" : json::quoted(m_entryNames[parent], true));
    }
    json.endObject();
    return json.finish();
  }

  /// The nearest enclosing call that is written: the dump's, or of a dump that knows none the first
  /// call of the module around.
  [[nodiscard]] std::size_t parentOf(
      std::size_t entry,
      const std::map<std::pair<Pass, std::string_view>, std::size_t>& modules) const {
    std::size_t parent = kNone;
    const bool isFound = anyEnclosing(m_source, entry, [&](std::size_t call) {
      parent = call;
      return !m_entryNames[call].empty();
    });
    if (isFound || m_hasParents) {
      return isFound ? parent : kNone;
    }
    const DumpEntry& its = m_source.entries[entry];
    std::string_view module = its.module;
    for (bool isAround = its.kind == EntryKind::Api;; isAround = true) {
      const auto found = modules.find({its.pass, module});
      if (isAround && found != modules.end()) {
        return found->second;
      }
      const std::size_t dot = module.rfind('.');
      if (dot == std::string_view::npos) {
        return kNone;
      }
      module = module.substr(0, dot);
    }
  }

  const UnitExport& m_unit;
  const DumpUnit& m_source;
  RowReader m_reader;
  MsprobeNames m_names;
  Conversions m_conversions;
  std::vector<bool> m_isChosen;
  std::vector<std::string> m_entryNames;       ///< empty: the entry is not written
  std::map<std::size_t, std::string> m_files;  ///< of the rows of the entry at hand
  std::string_view m_level;
  bool m_hasFiles = false;
  bool m_hasChecksums = false;
  bool m_hasParents = false;
  std::size_t m_done = 0;
  std::size_t m_written = 0;
};

Result<std::size_t> exportMsprobe(const UnitExport& unit) {
  return UnitWriter(unit).write();
}

}  // namespace

void registerMsprobe(DumpExporterRegistry& registry) {
  registry.add({.id = "msprobe",
                .title = "dump that msprobe 26.x opens",
                .keepsStatistics = true,
                .place = placeForMsprobe,
                .write = exportMsprobe});
}

}  // namespace ulp::dumps
