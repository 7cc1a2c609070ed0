#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <system_error>
#include <utility>

#include "core/dumps/enclosing_calls.h"
#include "core/dumps/exporters/dump_exporter.h"
#include "core/dumps/exporters/exported_names.h"
#include "core/dumps/exporters/msprobe_entry.h"
#include "core/dumps/exporters/msprobe_names.h"
#include "core/dumps/exporters/python_json.h"
#include "core/dumps/exporters/row_reader.h"
#include "core/dumps/exporters/torch_statistics.h"
#include "core/tensors/torch_writer.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTensorFolder = "dump_tensor_data";

/// msprobe has steps and ranks. Runs, and tokens beside steps, are dumps of their own above them.
fs::path place(const UnitAxes& axes, bool isOnly) {
  const bool hasBoth = axes.step && axes.token;
  fs::path place = placeOfAxes(
      {.run = isOnly ? std::string() : axes.run, .token = hasBoth ? axes.token : std::nullopt});
  place /= fmt::format("step{}", axes.step.value_or(axes.token.value_or(0)));
  // What is not distributed is called after its process.
  return place / (axes.rank ? fmt::format("rank{}", *axes.rank) : std::string("proc0"));
}

/// The type that msprobe gives to an argument which is no tensor, from how Python prints it.
std::string_view typeOf(std::string_view value) {
  if (value == "True" || value == "False") {
    return "bool";
  }
  double number = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  const bool isNumber = error == std::errc() && stop == end;
  const bool isInteger = value.find_first_not_of("-0123456789") == std::string_view::npos;
  return !isNumber ? "str" : isInteger ? "int" : "float";
}

void writeArgument(PythonJson& json, const std::string& value) {
  const std::string_view type = typeOf(value);
  json.beginObject().key("type").text(type).key("value");
  if (type == "bool") {
    json.word(value == "True" ? "true" : "false");
  } else if (value == "inf" || value == "-inf") {
    json.word(value == "inf" ? "Infinity" : "-Infinity");
  } else if (value == "nan") {
    json.word("NaN");
  } else if (type == "str") {
    json.text(value);
  } else {
    json.word(value);
  }
  json.endObject();
}

void writeShape(PythonJson& json, const std::vector<std::int64_t>& shape) {
  json.key("shape").beginList();
  for (const std::int64_t extent : shape) {
    json.word(std::to_string(extent));
  }
  json.endList();
}

Result<PythonJson> createJson(const fs::path& path) {
  auto file = tensors::FileWriter::create(path);
  return file ? Result<PythonJson>(PythonJson(std::move(*file)))
              : tl::unexpected<Error>(std::move(file.error()));
}

class UnitWriter {
 public:
  explicit UnitWriter(const UnitExport& unit)
      : m_unit(unit),
        m_source(unit.unit),
        m_reader(unit),
        m_names(unit.dump.importer != "msprobe"),
        m_isChosen(unit.unit.rows.size(), false),
        m_entryNames(unit.unit.entries.size()) {
    for (const std::size_t row : unit.rows) {
      m_isChosen[row] = true;
      m_hasFiles = m_hasFiles || m_source.rows[row].hasElements;
    }
    m_hasFiles = m_hasFiles && !unit.options.isStatisticsOnly;
    m_hasChecksums = unit.dump.checksumKind == "crc32 of the bytes" ||
                     unit.dump.checksumKind == "xor of the bytes";
    nameEntries();
  }

  Result<std::size_t> write() {
    auto done = makeTensorFolder();
    done = done ? writeData() : std::move(done);
    done = done ? writeStacks() : std::move(done);
    done = done ? writeConstruct() : std::move(done);
    m_conversions.note(m_unit.notes);
    return done ? Result<std::size_t>(m_unit.rows.size())
                : tl::unexpected<Error>(std::move(done.error()));
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
      fs::create_directory(m_unit.folder / kTensorFolder, failure);
    }
    return failure
               ? Result<>(fail(ErrorCode::Io,
                               fmt::format("{}: {}", m_unit.folder.string(), failure.message())))
               : Result<>();
  }

  Result<> writeData() {
    auto json = createJson(m_unit.folder / (m_level == "debug" ? "debug.json" : "dump.json"));
    if (!json) {
      return tl::unexpected<Error>(std::move(json.error()));
    }
    json->beginObject();
    json->key("task").text(m_hasFiles ? "tensor" : "statistics");
    json->key("level").text(m_level);
    json->key("framework").text("pytorch");
    json->key("dump_data_dir");
    if (m_hasFiles) {
      json->text(kTensorFolder);
    } else {
      json->word("null");
    }
    json->key("data").beginObject();
    for (std::size_t i = 0; i < m_source.entries.size(); ++i) {
      if (m_entryNames[i].empty()) {
        continue;
      }
      json->key(m_entryNames[i]);
      const MsprobeEntry entry = makeMsprobeEntry(m_source, m_source.entries[i], m_isChosen);
      for (const auto& [row, behind] : entry.files) {
        m_files[row] = m_names.file(m_entryNames[i], behind);
      }
      if (auto written = writeNode(*json, entry.root); !written) {
        return written;
      }
      m_files.clear();
    }
    json->endObject().endObject();
    return json->finish();
  }

  Result<> writeNode(PythonJson& json, const ArgumentNode& node) {
    if (node.isLeaf()) {
      return writeLeaf(json, node.row);
    }
    Result<> done;
    if (node.isList()) {
      json.beginList();
      for (const ArgumentNode* item : node.listItems()) {
        if (item == nullptr) {
          json.word("null");
        } else if (done) {
          done = writeNode(json, *item);
        }
      }
      json.endList();
      return done;
    }
    json.beginObject();
    for (const ArgumentNode& child : node.children) {
      json.key(child.key);
      if (done) {
        done = writeNode(json, child);
      }
    }
    json.endObject();
    return done;
  }

  Result<> writeLeaf(PythonJson& json, std::size_t row) {
    const DumpRow& its = m_source.rows[row];
    if (its.dtype.empty() && !its.hasElements) {
      if (its.value.empty()) {
        json.word("null");
      } else {
        writeArgument(json, its.value);
      }
      return {};
    }
    bool isRead = false;
    if (its.hasElements) {
      auto done = m_reader.read(row, [&](const tensors::Tensor& tensor) {
        isRead = true;
        return writeTensor(json, row, tensor.view);
      });
      if (!done) {
        return done;
      }
    }
    if (!isRead && its.dtype.empty()) {
      json.word("null");  // nobody knows what the file held
    } else if (!isRead) {
      const bool isOfTorch = its.dtype.find('.') != std::string::npos;
      begin(json, isOfTorch ? its.dtype : "torch." + its.dtype, its.shape);
      end(json, its, statisticTexts(its.statistics, its.dtype));
      json.endObject();
    }
    return {};
  }

  /// With the elements at hand: what they are counts, not what was recorded of them.
  Result<> writeTensor(PythonJson& json, std::size_t row, const numerics::TensorView& tensor) {
    const DumpRow& its = m_source.rows[row];
    m_conversions.add(its, tensor.dtype, tensor.dtype);
    begin(json, fmt::format("torch.{}", toString(tensor.dtype)), tensor.shape);
    end(json,
        its,
        its.statistics.isEmpty() ? statisticTexts(tensor)
                                 : statisticTexts(its.statistics, its.dtype));
    Result<> written;
    if (m_hasFiles) {
      const std::string& file = m_files.at(row);
      json.key("data_name").text(file);
      written = tensors::writeTorchTensor(
          m_unit.folder / kTensorFolder / file, tensor, tensors::Durability::WithItsFolder);
    }
    json.endObject();
    m_unit.progress(++m_done, m_unit.rows.size());
    return written;
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
    auto json = createJson(m_unit.folder / "stack.json");
    if (!json) {
      return tl::unexpected<Error>(std::move(json.error()));
    }
    json->beginObject();
    std::size_t number = 0;
    for (const auto& [stack, entries] : calls) {
      json->key(std::to_string(number++)).beginList().beginList();
      for (const std::size_t entry : entries) {
        json->text(m_entryNames[entry]);
      }
      json->endList().beginList();
      for (const std::string& frame : m_source.stacks[stack]) {
        json->text(frame);
      }
      json->endList().endList();
    }
    json->endObject();
    return json->finish();
  }

  Result<> writeConstruct() const {
    std::map<std::pair<Pass, std::string_view>, std::size_t> modules;
    for (std::size_t i = 0; i < m_source.entries.size(); ++i) {
      const DumpEntry& entry = m_source.entries[i];
      if (!m_entryNames[i].empty() && entry.kind == EntryKind::Module && !isSavedValue(entry)) {
        modules.emplace(std::pair(entry.pass, std::string_view(entry.module)), i);
      }
    }
    auto json = createJson(m_unit.folder / "construct.json");
    if (!json) {
      return tl::unexpected<Error>(std::move(json.error()));
    }
    json->beginObject();
    for (std::size_t i = 0; i < m_source.entries.size(); ++i) {
      const EntryKind kind = m_source.entries[i].kind;
      if (m_entryNames[i].empty() || (kind != EntryKind::Module && kind != EntryKind::Api)) {
        continue;
      }
      json->key(m_entryNames[i]);
      const std::size_t parent = parentOf(i, modules);
      if (parent == kNone) {
        json->word("null");
      } else {
        json->text(m_entryNames[parent]);
      }
    }
    json->endObject();
    return json->finish();
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
    std::string_view module = m_source.entries[entry].module;
    if (m_source.entries[entry].kind == EntryKind::Api) {
      const auto found = modules.find({m_source.entries[entry].pass, module});
      if (found != modules.end()) {
        return found->second;
      }
    }
    for (std::size_t dot = module.rfind('.'); dot != std::string_view::npos;
         dot = module.rfind('.')) {
      module = module.substr(0, dot);
      const auto found = modules.find({m_source.entries[entry].pass, module});
      if (found != modules.end()) {
        return found->second;
      }
    }
    return kNone;
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
};

Result<std::size_t> write(const UnitExport& unit) {
  return UnitWriter(unit).write();
}

}  // namespace

void registerMsprobe(DumpExporterRegistry& registry) {
  registry.add({.id = "msprobe",
                .title = "dump that msprobe 26.x opens",
                .keepsStatistics = true,
                .place = place,
                .write = write});
}

}  // namespace ulp::dumps
