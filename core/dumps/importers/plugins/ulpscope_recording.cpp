#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/files/mapped_file.h"
#include "core/base/list_of.h"
#include "core/dumps/importers/importer.h"
#include "core/dumps/importers/recording_values.h"
#include "core/dumps/model/checksum.h"
#include "core/dumps/model/folders.h"
#include "core/json/dump.h"
#include "core/json/parse.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/elements/shown_tensor.h"

/// What ulpscope_recorder.py wrote of one step of one rank; the format is in docs/recording.md.
namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;

using json::Value;

/// The first line of an index.
struct RecordingHead {
  std::string schema{};
  UnitAxes axes{};
  std::string task{};   ///< "tensor", "statistics"; since version 2 also "crc32", "xor"
  std::string level{};  ///< since version 2: "L0", "L1", "mix"
  /// "data": each rank has data of its own (DDP, FSDP); "tensor": parts of parameters; "mesh":
  /// both.
  std::string sharding{};
  double gradientDivisor = 0;
  /// Of "mesh": among the ranks that have data of their own, and among those that divide a tensor.
  std::optional<std::int64_t> dataRank{};
  std::optional<std::int64_t> tensorRank{};
};

/// Of all versions; the second one has calls of functions ("kind": "api") and checksums, the third
/// one parameters of modules.
constexpr std::string_view kRecordingSchemas = "ulpscope.recording/";
constexpr std::array<std::string_view, 3> kSchemas{
    "ulpscope.recording/1", "ulpscope.recording/2", "ulpscope.recording/3"};
constexpr std::string_view kIndex = "index.jsonl";

constexpr std::size_t kLongestHead = std::size_t{1} << 16;

/// The object of a line; nothing where it is none. Errors: OutOfMemory, Cancelled.
Result<std::optional<Value>> objectOf(std::string_view line) {
  auto object = json::parseObject(line);
  if (!object && object.error().code() == ErrorCode::CorruptData) {
    return std::nullopt;
  }
  return object;
}

/// Where the elements of a row lie.
struct Place {
  std::size_t file = kNone;  ///< kNone: nowhere
  std::size_t offset = 0;
  const tensors::StoredType* type = nullptr;  ///< is there where the file is
};

class RecordedUnit final : public DumpUnit {
 public:
  explicit RecordedUnit(fs::path folder) : m_folder(std::move(folder)) {}

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override {
    const Place& place = m_places[row];
    if (place.file == kNone) {
      return fail(ErrorCode::NotFound,
                  fmt::format("{}: '{}': no elements were recorded; record without "
                              "statistics_only and with a larger max_bytes",
                              m_folder.string(),
                              rows[row].name));
    }
    auto file = ULP_TRY(fileOf(place.file));
    const auto bytes = file->bytes();
    const auto count = tensors::checkedCount(rows[row].shape);
    const std::size_t available = bytes.size() - std::min(place.offset, bytes.size());
    if (!count || *count > available / place.type->itemSize) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: '{}': the file ends before its elements; copy it again",
                              file->path().string(),
                              rows[row].name));
    }
    const auto source = tensors::byteSourceOf(file);
    const tensors::TensorInfo info{rows[row].name, rows[row].shape, place.type->dtype, ""};
    return tensors::ifIntactAt(fmt::format("{}: '{}'", file->path().string(), info.name),
                               source,
                               tensors::shownTensor(source, place.offset, *place.type, info));
  }

  void addRow(DumpRow row, Place place) {
    DumpUnit::addRow(std::move(row));
    m_places.push_back(place);
  }

  void setFiles(std::vector<std::string> files) {
    m_files = std::move(files);
    m_open.resize(m_files.size());
  }

 private:
  using FilePtr = std::shared_ptr<const MappedFile>;

  [[nodiscard]] Result<FilePtr> fileOf(std::size_t file) const {
    const std::scoped_lock lock(m_mutex);
    if (!m_open[file]) {
      // The recorder adds to it, and names what is complete in the index.
      m_open[file] = ULP_TRY(MappedFile::open(m_folder / m_files[file], Rewriting::Expected));
    }
    return m_open[file];
  }

  fs::path m_folder;
  std::vector<Place> m_places;  ///< one for each row
  std::vector<std::string> m_files;
  mutable std::mutex m_mutex;
  mutable std::vector<FilePtr> m_open;  ///< one for each file, null before it is read
};

/// Reads the lines of an index into a unit.
class RecordedUnitBuilder {
 public:
  RecordedUnitBuilder(fs::path index, UnitAxes axes)
      : m_index(std::move(index)), m_unit(std::make_shared<RecordedUnit>(m_index.parent_path())) {
    m_unit->axes = std::move(axes);
  }

  Result<DumpUnitPtr> build(const std::stop_token& stop, const Progress& progress) {
    const auto source = ULP_TRY(tensors::openByteSource(m_index, Rewriting::Expected));
    const std::string_view text(reinterpret_cast<const char*>(source.bytes.data()),
                                source.bytes.size());
    for (std::size_t begin = 0; begin < text.size();) {
      if (stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, "reading the index of a recording was cancelled");
      }
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ++m_line;
      ULP_TRY(addLine(text.substr(begin, end - begin), end == text.size()));
      begin = end + 1;
      if (progress && m_line % 256 == 0) {
        progress(begin, text.size());
      }
    }
    ULP_TRY(tensors::checkIntact(source.file.get()));
    finish();
    return m_unit;
  }

 private:
  [[nodiscard]] tl::unexpected<Error> corrupt(std::string_view what) const {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: line {}: {}; copy the file again, or delete the line",
                            m_index.string(),
                            m_line,
                            what));
  }

  void note(std::string text) { m_unit->notes.push_back(std::move(text)); }

  /// What a line says of its place among the others, and of its tensors.
  struct Recorded {
    std::int64_t order;
    std::int64_t id;
    std::optional<std::int64_t> parent;
    std::optional<std::int64_t> forward;  ///< id of the call of which these are the gradients
    DumpEntry entry;
    std::vector<std::pair<DumpRow, Place>> rows{};
  };

  Result<> addLine(std::string_view line, bool isLast) {
    const auto object = ULP_TRY(whileDoing(m_index.string(), objectOf(line)));
    if (!object && isLast) {
      return {};  // cut off in writing; finish() says that the end is missing
    }
    if (!object) {
      return corrupt("is no JSON object");
    }
    if (m_line == 1 || isSet(*object, "end")) {
      m_hasEnd = isSet(*object, "end");
      return {};
    }
    return addEntry(*object);
  }

  Result<> addEntry(const Value& object) {
    const auto id = integerOf(object, "id");
    const auto order = integerOf(object, "order");
    const auto pass = parsePass(textOf(object, "pass"));
    const Value& tensors = object.at("tensors");
    if (!id || !order || !pass || !tensors.isArray()) {
      return corrupt("has no id, order, pass or tensors");
    }
    const bool isApi = textOf(object, "kind") == "api";
    const EntryKind kind = isApi ? EntryKind::Api : EntryKind::Module;
    DumpEntry entry{.kind = isOfParameters(*pass) ? EntryKind::Gradient : kind,
                    .pass = *pass,
                    .module = textOf(object, isApi ? "module" : "name"),
                    .operation = textOf(object, isApi ? "name" : "class"),
                    .call = static_cast<std::uint64_t>(
                        std::max<std::int64_t>(integerOf(object, "call").value_or(0), 0)),
                    .stack = addStack(object)};
    entry.name = nameOf(object, entry);
    if (isSet(object, "failed") && !isSet(object, "recomputed")) {
      note(fmt::format("{}: line {}: an exception of the program ended {}; it has no outputs",
                       m_index.string(),
                       m_line,
                       entry.name));
    }
    Recorded& recorded = m_recorded.emplace_back(Recorded{
        *order, *id, integerOf(object, "parent"), integerOf(object, "forward"), std::move(entry)});
    for (const Value& tensor : tensors.items()) {
      ULP_TRY(addRow(recorded, tensor));
    }
    return {};
  }

  /// "model.norm.forward.0", "model.norm.forward.0.recomputed", "model.norm.backward.0.again1"; of
  /// functions as msprobe has it, "Functional.linear.0.forward".
  static std::string nameOf(const Value& object, const DumpEntry& entry) {
    std::string name = fmt::format("{}.{}.{}", entry.module, toString(entry.pass), entry.call);
    if (entry.kind == EntryKind::Api) {
      name = fmt::format("{}.{}.{}", entry.operation, entry.call, toString(entry.pass));
    }
    if (isSet(object, "recomputed")) {
      name += ".recomputed";
    }
    if (const auto again = integerOf(object, "again")) {
      name += fmt::format(".again{}", *again);
    }
    return name;
  }

  std::size_t addStack(const Value& object) {
    const Value& stack = object.at("stack");
    if (!stack.isArray()) {
      return kNone;
    }
    const auto [place, isNew] =
        m_stacks.emplace(listOf(stack.items(), &Value::text), m_unit->stacks.size());
    if (isNew) {
      m_unit->stacks.push_back(place->first);
    }
    return place->second;
  }

  /// Types that the printed value does not tell; an argument without a type keeps its print alone.
  static void addArgument(DumpRow& row, const Value& tensor) {
    const std::string type = textOf(tensor, "type");
    if (type == "str" || type == "torch.dtype" || type == "torch.device") {
      row.argument =
          json::dump(json::Object{{"type", type}, {"value", row.value}}, {.isAscii = true});
    }
    if (const Value& grad = tensor.at("requires_grad"); grad.isBoolean()) {
      row.requiresGrad = grad.boolean();
    }
  }

  Result<> addRow(Recorded& recorded, const Value& tensor) {
    const auto role = parseRole(textOf(tensor, "role"));
    if (!role || role == Role::Value) {
      return corrupt("holds a tensor of no role that is known");
    }
    DumpRow row{.name = fmt::format("{}.{}", recorded.entry.name, toString(*role)),
                .role = *role,
                .index = textOf(tensor, "path"),
                .dtype = textOf(tensor, "dtype"),
                .checksum = textOf(tensor, "checksum"),
                .value = textOf(tensor, "value"),
                .placement = placementOf(tensor)};
    row.name += row.index.empty() ? "" : "." + row.index;
    addArgument(row, tensor);
    if (const Value* shape = tensor.members().find("shape")) {
      row.shape = dimensionsOf(*shape);
    }
    if (!tensors::checkedCount(row.shape)) {
      return corrupt(fmt::format("'{}' has no possible shape", row.name));
    }
    row.statistics = {.max = numberOf(tensor, "max"),
                      .min = numberOf(tensor, "min"),
                      .mean = numberOf(tensor, "mean"),
                      .norm = numberOf(tensor, "norm")};
    auto place = ULP_TRY(placeOf(tensor, row));
    row.hasElements = place.file != kNone;
    recorded.rows.emplace_back(std::move(row), place);
    return {};
  }

  /// Bytes of a file, as [offset, size].
  struct Range {
    std::uint64_t offset;
    std::uint64_t size;
  };
  static std::optional<Range> rangeOf(const Value& tensor) {
    const json::Array& data = tensor.at("data").items();
    if (data.size() != 2) {
      return std::nullopt;
    }
    const std::int64_t offset = integerOf(data[0]).value_or(-1);
    const std::int64_t size = integerOf(data[1]).value_or(-1);
    if (offset < 0 || size < 0) {
      return std::nullopt;
    }
    return Range{static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(size)};
  }

  Result<Place> placeOf(const Value& tensor, const DumpRow& row) {
    const std::string name = textOf(tensor, "file");
    if (name.empty()) {
      return Place{};
    }
    const auto* const type =
        tensors::findStoredType(row.dtype.starts_with("torch.") ? row.dtype.substr(6) : "");
    const auto range = rangeOf(tensor);
    const bool isPlain = fs::path(name).filename() == name && name != "..";
    if (!isPlain || type == nullptr || type->showing == tensors::Showing::Never || !range) {
      return corrupt(fmt::format("'{}' has no possible place in a file", row.name));
    }
    const std::uint64_t count = tensors::checkedCount(row.shape).value_or(0);
    if (range->size % type->itemSize != 0 || range->size / type->itemSize != count) {
      return corrupt(fmt::format(
          "'{}' has {} bytes, which its shape and type do not fill", row.name, range->size));
    }
    const File& file = fileCalled(name);
    if (!file.size || range->offset > *file.size || range->size > *file.size - range->offset) {
      ++m_missing[name];
      return Place{};
    }
    return Place{file.number, static_cast<std::size_t>(range->offset), type};
  }

  struct File {
    std::size_t number;
    std::optional<std::uint64_t> size;  ///< nothing: there is none
  };
  const File& fileCalled(const std::string& name) {
    const auto [found, isNew] = m_files.try_emplace(name, File{m_names.size(), std::nullopt});
    if (isNew) {
      m_names.push_back(name);
      std::error_code failed;
      const std::uint64_t size = fs::file_size(m_index.parent_path() / name, failed);
      if (!failed) {
        found->second.size = size;
      }
    }
    return found->second;
  }

  void finish() {
    std::ranges::stable_sort(m_recorded, {}, &Recorded::order);
    for (Recorded& recorded : m_recorded) {
      m_unit->addEntry(std::move(recorded.entry));
      for (auto& [row, place] : recorded.rows) {
        m_unit->addRow(std::move(row), place);
      }
    }
    enclose();
    m_unit->setFiles(std::move(m_names));
    for (const auto& [name, count] : m_missing) {
      const bool isThere = m_files.at(name).size.has_value();
      note(fmt::format("{}: {}, which {} tensors need; copy the whole folder",
                       (m_index.parent_path() / name).string(),
                       isThere ? "is cut off" : "is missing",
                       count));
    }
    if (!m_hasEnd) {
      note(
          fmt::format("{}: line {}: the recording ends without its last line: the program was "
                      "ended, or still runs; what was recorded until then is shown",
                      m_index.string(),
                      m_line));
    }
  }

  /// Calls are enclosed by calls, gradients of a call by those of the call around it.
  void enclose() {
    std::unordered_map<std::int64_t, std::size_t> calls;
    std::unordered_map<std::int64_t, std::size_t> gradients;
    for (std::size_t entry = 0; entry < m_recorded.size(); ++entry) {
      calls.emplace(m_recorded[entry].id, entry);
      if (m_recorded[entry].forward) {
        gradients.emplace(*m_recorded[entry].forward, entry);
      }
    }
    for (std::size_t entry = 0; entry < m_recorded.size(); ++entry) {
      const auto call =
          m_recorded[entry].forward ? calls.find(*m_recorded[entry].forward) : calls.end();
      const std::optional<std::int64_t> parent =
          call == calls.end() ? m_recorded[entry].parent : m_recorded[call->second].parent;
      if (!parent) {
        continue;
      }
      const auto& among = m_recorded[entry].forward ? gradients : calls;
      const auto found = among.find(*parent);
      if (found != among.end() && found->second != entry) {
        m_unit->entries[entry].parent = found->second;
      }
    }
  }

  fs::path m_index;
  std::shared_ptr<RecordedUnit> m_unit;
  std::size_t m_line = 0;
  bool m_hasEnd = false;
  std::vector<Recorded> m_recorded;  ///< in the order of the lines, in the end of execution
  std::map<std::vector<std::string>, std::size_t> m_stacks;
  std::map<std::string, File> m_files;
  std::vector<std::string> m_names;              ///< of the files, by number
  std::map<std::string, std::size_t> m_missing;  ///< tensors that a file should hold
};

/// Of a longer line its beginning.
std::string firstLine(const fs::path& index) {
  if (!isFile(index)) {
    return {};  // opening a named pipe would wait
  }
  std::ifstream file(index, std::ios::binary);
  std::string start(kLongestHead, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  start.resize(std::min(start.find('\n'), start.size()));
  return start;
}

/// Nothing where the file cannot be read or is no index of a recording, of whatever version.
/// Errors: OutOfMemory, Cancelled.
Result<std::optional<RecordingHead>> readRecordingHead(const fs::path& index) {
  const auto head = ULP_TRY(whileDoing(index.string(), objectOf(firstLine(index))));
  if (!head || !textOf(*head, "schema").starts_with(kRecordingSchemas)) {
    return std::nullopt;
  }
  const std::string& task = textOf(*head, "task");
  return RecordingHead{
      .schema = textOf(*head, "schema"),
      // Of a model that generates, a step is a token.
      .axes = {.step = integerOf(*head, head->contains("token") ? "" : "step"),
               .rank = integerOf(*head, "rank"),
               .token = integerOf(*head, "token")},
      .task = task.empty() && isSet(*head, "statistics_only") ? "statistics" : task,
      .level = textOf(*head, "level"),
      .sharding = textOf(*head, "sharding"),
      .gradientDivisor = numberOf(*head, "gradient_divisor").value_or(0),
      .dataRank = integerOf(*head, "data_rank"),
      .tensorRank = integerOf(*head, "tensor_rank")};
}

/// The first line is empty or no object of JSON, rather than one of another tool.
bool isRecordingHeadBroken(const fs::path& index) {
  const auto head = objectOf(firstLine(index));
  return head && !*head;
}

/// Indices of a recording, of one of its steps, of one rank of it, or the index itself.
std::vector<fs::path> indicesAt(const fs::path& path) {
  if (path.filename() == kIndex && isFile(path)) {
    return {path};
  }
  std::vector<fs::path> ranks{path};
  for (const fs::path& rank : foldersIn(path, "rank")) {
    ranks.push_back(rank);
  }
  for (const fs::path& step : foldersIn(path, "step")) {
    for (const fs::path& rank : foldersIn(step, "rank")) {
      ranks.push_back(rank);
    }
  }
  std::vector<fs::path> indices;
  for (const fs::path& rank : ranks) {
    if (isFile(rank / kIndex)) {
      indices.push_back(rank / kIndex);
    }
  }
  return indices;
}

/// Elements stay in the files beside the index. A last line that was cut off, a missing end and
/// missing files are notes.
Result<DumpUnitPtr> openRank(const UnitInfo& rank,
                             const std::stop_token& stop,
                             const Progress& progress) {
  return RecordedUnitBuilder(rank.path / kIndex, rank.axes).build(stop, progress);
}

/// Ranks by their places in a mesh: those with the same data, and among these by their part.
using PlacesInMesh = std::map<std::int64_t, std::map<std::int64_t, std::int64_t>>;

Result<> addIndex(Dump& dump, PlacesInMesh& mesh, const fs::path& index) {
  const auto head = ULP_TRY(readRecordingHead(index));
  if (!head) {
    dump.notes.push_back(
        fmt::format("{}: line 1: is no head of a recording; copy the file again", index.string()));
    return {};
  }
  if (std::ranges::find(kSchemas, head->schema) == kSchemas.end()) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{}: line 1: is of {}, and {} and before are known; use the "
                            "ulpscope_recorder.py that came with this Ulpscope",
                            index.string(),
                            head->schema,
                            kSchemas.back()));
  }
  dump.format = "recording of Ulpscope";
  dump.checksumKind =
      head->task == "crc32" ? kCrc32OfBytes : (head->task == "xor" ? kXorOfBytes : "");
  if (!head->level.empty() && head->level != "L0") {
    dump.format += ", level " + head->level;
  }
  if (!head->task.empty() && head->task != "tensor") {
    dump.format += dump.checksumKind.empty() ? ", statistics" : ", checksums";
  }
  if (!head->sharding.empty()) {
    const bool isData = head->sharding == "data" || head->sharding == "mesh";
    dump.shares = isData                       ? RankShares::Data
                  : head->sharding == "tensor" ? RankShares::Tensor
                                               : dump.shares;
    dump.gradientDivisor = head->gradientDivisor;
  }
  if (head->dataRank && head->tensorRank && head->axes.rank) {
    mesh[*head->dataRank][*head->tensorRank] = *head->axes.rank;
  }
  dump.units.push_back({.axes = head->axes, .path = index.parent_path(), .open = openRank});
  return {};
}

/// "step3/rank0/index.jsonl", where the recorder puts it.
bool isUnmistakable(const fs::path& index) {
  const auto isNumbered = [](const fs::path& folder, std::string_view prefix) {
    const std::string name = folder.filename().string();
    return name.starts_with(prefix) && name.size() > prefix.size() &&
           name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
  };
  const fs::path rank = dumps::normalPath(index).parent_path();
  return isNumbered(rank, "rank") && isNumbered(rank.parent_path(), "step");
}

Claim recogniseRecording(const fs::path& path) {
  const std::vector<fs::path> indices = indicesAt(path);
  const bool isRecording = std::ranges::any_of(indices, [](const fs::path& index) {
    return readRecordingHead(index).value_or(std::nullopt).has_value();
  });
  if (isRecording) {
    return Claim::Certain;
  }
  const bool isDamaged = std::ranges::any_of(indices, [](const fs::path& index) {
    return isUnmistakable(index) && isRecordingHeadBroken(index);
  });
  return isDamaged ? Claim::Damaged : Claim::No;
}

Result<Dump> openRecording(const fs::path& path, const std::stop_token& stop) {
  Dump dump{.format = "recording of Ulpscope"};
  PlacesInMesh mesh;
  for (const fs::path& index : indicesAt(path)) {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "opening a recording was cancelled");
    }
    ULP_TRY(addIndex(dump, mesh, index));
  }
  for (const auto& [data, ranks] : mesh) {
    dump.tensorGroups.push_back(listOf(ranks, [](const auto& each) { return each.second; }));
  }
  if (dump.units.empty() && !dump.notes.empty()) {
    return fail(ErrorCode::CorruptData, dump.notes.front().text());
  }
  if (dump.units.empty()) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: holds no step*/rank*/{} of a recording", path.string(), kIndex));
  }
  std::ranges::stable_sort(dump.units, {}, [](const UnitInfo& unit) {
    return std::tuple(unit.axes.step, unit.axes.rank, unit.axes.token);
  });
  return dump;
}

}  // namespace

void registerUlpscopeRecording(ImporterRegistry& registry) {
  registry.add({"ulpscope_recording",
                "recording of a PyTorch program (ulpscope_recorder.py)",
                recogniseRecording,
                openRecording});
}

}  // namespace ulp::dumps
