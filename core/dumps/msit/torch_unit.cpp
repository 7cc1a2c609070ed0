#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/base/text/parse_number.h"
#include "core/dumps/model/folders.h"
#include "core/dumps/msit/recorded_unit.h"
#include "core/dumps/msit/statistics_table.h"

namespace ulp::dumps::msit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStatistics = "statistics.csv";
constexpr std::string_view kTorchExtension = ".pth";

std::string withoutRoot(std::string_view name) {
  constexpr std::string_view kRoot = "root.";
  if (name == "root") {
    return {};
  }
  return std::string(name.starts_with(kRoot) ? name.substr(kRoot.size()) : name);
}

/// "input_0_1.pth": role, and numbers in front of which nothing else stands.
struct FileName {
  std::string file;
  Role role = Role::Value;
  std::vector<std::uint64_t> numbers;

  [[nodiscard]] std::string index() const {
    std::string text;
    for (const std::uint64_t number : numbers) {
      text += (text.empty() ? "" : ".") + std::to_string(number);
    }
    return text;
  }
  [[nodiscard]] auto order() const { return std::tuple(role, numbers, std::string_view(file)); }
};

FileName parsed(const std::string& file) {
  std::string_view stem = std::string_view(file).substr(0, file.size() - kTorchExtension.size());
  FileName name{.file = file, .role = Role::Value, .numbers = {}};
  for (const auto& [word, role] :
       {std::pair(std::string_view("input"), Role::Input), {"output", Role::Output}}) {
    if (stem.starts_with(word)) {
      name.role = role;
      stem.remove_prefix(word.size());
    }
  }
  while (stem.starts_with('_')) {
    const std::size_t end = std::min(stem.find('_', 1), stem.size());
    const auto number = parseNumber<std::uint64_t>(stem.substr(1, end - 1));
    if (!number) {
      break;
    }
    name.numbers.push_back(*number);
    stem.remove_prefix(end);
  }
  return name;
}

std::vector<FileName> tensorFiles(const fs::path& folder) {
  std::vector<FileName> files;
  for (const std::string& name : folderNames(folder)) {
    if (name.ends_with(kTorchExtension)) {
      files.push_back(parsed(name));
    }
  }
  std::ranges::sort(files, {}, &FileName::order);
  return files;
}

/// Adds a module's tensors: files, and of the table what has none.
class ModuleRows {
 public:
  ModuleRows(RecordedUnit& unit, const fs::path& folder) : m_unit(unit), m_folder(folder) {}

  void add() {
    readTable();
    for (const FileName& file : tensorFiles(m_folder)) {
      DumpRow row{.name = nameOf(file.file.substr(0, file.file.size() - kTorchExtension.size())),
                  .role = file.role,
                  .index = file.index()};
      if (const TensorStatistics* known = take(file)) {
        row.statistics = known->statistics;
      }
      m_unit.addRow(std::move(row), m_folder / file.file);
    }
    for (std::size_t i = 0; i < m_table.size(); ++i) {
      if (!m_isTaken[i]) {
        addWithoutFile(m_table[i]);
      }
    }
  }

 private:
  [[nodiscard]] std::string nameOf(const std::string& tensor) const {
    return m_folder.filename().string() + "/" + tensor;
  }

  void readTable() {
    if (!isFile(m_folder / kStatistics)) {
      return;
    }
    Result<std::vector<TensorStatistics>> table = readModuleStatistics(m_folder / kStatistics);
    if (table) {
      m_table = std::move(*table);
      m_isTaken.resize(m_table.size());
    } else {
      m_unit.notes.push_back(table.error().message());
    }
  }

  /// The table names a file by its role and the last number in its name.
  const TensorStatistics* take(const FileName& file) {
    const std::string last = file.numbers.empty() ? "0" : std::to_string(file.numbers.back());
    for (std::size_t i = 0; i < m_table.size(); ++i) {
      if (!m_isTaken[i] && m_table[i].role == file.role && m_table[i].index == last) {
        m_isTaken[i] = true;
        return &m_table[i];
      }
    }
    return nullptr;
  }

  void addWithoutFile(const TensorStatistics& tensor) {
    const auto ofRole = std::ranges::count(m_table, tensor.role, &TensorStatistics::role);
    const bool isOnlyOutput = tensor.role == Role::Output && ofRole == 1 && tensor.index == "0";
    const std::string index = isOnlyOutput ? "" : tensor.index;
    const std::string word(toString(tensor.role));
    m_unit.addRow({.name = nameOf(index.empty() ? word : word + "_" + index),
                   .role = tensor.role,
                   .index = index,
                   .dtype = tensor.dtype,
                   .shape = tensor.shape,
                   .statistics = tensor.statistics},
                  {});
  }

  RecordedUnit& m_unit;
  const fs::path& m_folder;
  std::vector<TensorStatistics> m_table;
  std::vector<bool> m_isTaken;
};

/// What was recorded of a call: msit fills the folder when the call ends.
struct CallFolder {
  std::filesystem::path path;
  std::size_t around = kNone;  ///< in the list: that of the call around it, which ends later
};

/// Of the newest file, else of the folder. Nothing: the system refuses to say.
std::optional<fs::file_time_type> endOf(const fs::path& folder) {
  std::optional<fs::file_time_type> newest;
  std::error_code failed;
  for (fs::directory_iterator file(folder, failed), end; !failed && file != end;
       file.increment(failed)) {
    const auto time = file->last_write_time(failed);
    if (!failed && (!newest || time > *newest)) {
      newest = time;
    }
  }
  if (!newest && !failed) {
    newest = fs::last_write_time(folder, failed);
  }
  return failed ? std::nullopt : newest;
}

/// The order in which the calls ended, by the times of their files; those of the same time stay as
/// they are. Nothing where the times cannot be those of the recording, because a call would have
/// ended before one within it: the files were copied without their times. Nor where several calls
/// all have one time, which tells no order.
std::optional<std::vector<std::size_t>> writeOrder(const std::vector<CallFolder>& calls) {
  std::vector<fs::file_time_type> ends;
  ends.reserve(calls.size());
  for (const CallFolder& call : calls) {
    const auto end = endOf(call.path);
    if (!end) {
      return std::nullopt;
    }
    ends.push_back(*end);
  }
  const bool isOneTime = std::ranges::adjacent_find(ends, std::not_equal_to<>()) == ends.end();
  if (isOneTime && ends.size() > 1) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].around != kNone && ends[calls[i].around] < ends[i]) {
      return std::nullopt;
    }
  }
  std::vector<std::size_t> order(calls.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t call) { return ends[call]; });
  return order;
}

/// Makes the entries of a token.
class TokenReader {
 public:
  TokenReader(const std::vector<Topology>& models, const TokenFolder& token, const UnitAxes& axes)
      : m_model(models.front()), m_token(token), m_unit(std::make_shared<RecordedUnit>()) {
    m_unit->axes = axes;
    m_unit->structure = std::make_shared<const ModelStructure>(ModelStructure{.models = models});
    m_entryOf.resize(m_model.nodes.size(), kNone);
    sortFolders();
  }

  Result<DumpUnitPtr> read(const std::stop_token& stop, const Progress& progress) {
    plan();
    std::uint64_t done = 0;
    for (const std::size_t place : executionOrder()) {
      if (stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, "reading cancelled");
      }
      addPlanned(m_plan[place]);
      if (progress) {
        progress(++done, m_plan.size());
      }
    }
    setParents();
    return DumpUnitPtr(std::move(m_unit));
  }

 private:
  /// A folder of the token, and the module that it belongs to; kNone: none.
  struct Planned {
    std::string folder;
    std::size_t node = kNone;
    bool isCall = false;  ///< of an API within the module
  };

  /// Those of modules, of calls within one ("root.model.layers.0.self_attn.softmax.1"), and others.
  void sortFolders() {
    std::map<std::string_view, std::size_t> nodes;
    for (std::size_t i = 0; i < m_model.nodes.size(); ++i) {
      nodes[m_model.nodes[i].name] = i;
    }
    for (const std::string& folder : folderNames(m_token.path)) {
      if (const auto node = nodes.find(folder); node != nodes.end()) {
        m_recorded.insert(node->second);
        continue;
      }
      std::string_view outer = folder;
      auto owner = nodes.end();
      while (owner == nodes.end() && outer.rfind('.') != std::string_view::npos) {
        outer = outer.substr(0, outer.rfind('.'));
        owner = nodes.find(outer);
      }
      if (owner == nodes.end()) {
        m_others.push_back(folder);
      } else {
        m_calls[owner->second].push_back(folder);
      }
    }
  }

  [[nodiscard]] std::vector<std::size_t> childrenFirst() const {
    std::vector<std::size_t> order;
    std::vector<std::pair<std::size_t, std::size_t>> open{{0, 0}};
    while (!open.empty()) {
      auto& [node, next] = open.back();
      if (next < m_model.nodes[node].children.size()) {
        open.emplace_back(m_model.nodes[node].children[next++], 0);
      } else {
        order.push_back(node);
        open.pop_back();
      }
    }
    return order;
  }

  /// The folders in the order of the model's structure.
  void plan() {
    for (const std::size_t node : childrenFirst()) {
      if (const auto calls = m_calls.find(node); calls != m_calls.end()) {
        for (const std::string& folder : calls->second) {
          m_plan.push_back({folder, node, true});
        }
      }
      if (m_recorded.contains(node)) {
        m_plan.push_back({m_model.nodes[node].folder, node, false});
      }
    }
    for (const std::string& folder : m_others) {
      m_plan.push_back({.folder = folder});
    }
  }

  /// Places in the plan: by the times of the files, where these tell.
  [[nodiscard]] std::vector<std::size_t> executionOrder() {
    std::map<std::size_t, std::size_t> places;
    for (std::size_t i = 0; i < m_plan.size(); ++i) {
      if (m_plan[i].node != kNone && !m_plan[i].isCall) {
        places.emplace(m_plan[i].node, i);
      }
    }
    std::vector<CallFolder> calls;
    calls.reserve(m_plan.size());
    for (const Planned& planned : m_plan) {
      std::size_t around = planned.node;
      if (around != kNone && !planned.isCall) {
        around = m_model.nodes[around].parent;
      }
      while (around != kNone && !places.contains(around)) {
        around = m_model.nodes[around].parent;
      }
      calls.push_back({m_token.path / planned.folder, around == kNone ? kNone : places.at(around)});
    }
    if (auto order = writeOrder(calls)) {
      return *std::move(order);
    }
    m_unit->notes.push_back(
        m_token.path.string() +
        ": the times of the files do not tell in which order the modules ran: the dump was copied "
        "without them. They stand in the order of model_tree.json, so that another one may have "
        "been the first to differ; copy dumps with their times (cp -p, tar)");
    std::vector<std::size_t> asPlanned(m_plan.size());
    std::iota(asPlanned.begin(), asPlanned.end(), std::size_t{0});
    return asPlanned;
  }

  void addPlanned(const Planned& planned) {
    if (planned.node == kNone) {
      addEntry({.name = planned.folder, .kind = EntryKind::Tensor, .operation = planned.folder},
               planned.folder);
      return;
    }
    if (planned.isCall) {
      addCall(planned.node, planned.folder);
      return;
    }
    const TopologyNode& module = m_model.nodes[planned.node];
    m_entryOf[planned.node] = m_unit->entries.size();
    addEntry({.name = module.name,
              .kind = EntryKind::Module,
              .module = withoutRoot(module.name),
              .operation = module.type,
              .parent = module.parent},
             module.folder);
  }

  void addCall(std::size_t node, const std::string& folder) {
    const std::string& module = m_model.nodes[node].name;
    std::string operation = folder.substr(module.size() + 1);
    std::uint64_t call = 0;
    if (const std::size_t mark = operation.rfind('.'); mark != std::string::npos) {
      if (const auto number =
              parseNumber<std::uint64_t>(std::string_view(operation).substr(mark + 1))) {
        call = *number;
        operation.resize(mark);
      }
    }
    addEntry({.name = folder,
              .kind = EntryKind::Api,
              .module = withoutRoot(module),
              .operation = std::move(operation),
              .call = call,
              .parent = node},
             folder);
  }

  void addEntry(DumpEntry entry, const std::string& folder) {
    m_unit->addEntry(std::move(entry));
    const fs::path place = m_token.path / folder;
    ModuleRows(*m_unit, place).add();
  }

  /// Entries name nodes until all are there: a module stands behind what it holds.
  void setParents() {
    for (DumpEntry& entry : m_unit->entries) {
      while (entry.parent != kNone && m_entryOf[entry.parent] == kNone) {
        entry.parent = m_model.nodes[entry.parent].parent;
      }
      entry.parent = entry.parent == kNone ? kNone : m_entryOf[entry.parent];
    }
  }

  const Topology& m_model;
  const TokenFolder& m_token;
  std::shared_ptr<RecordedUnit> m_unit;
  std::vector<std::size_t> m_entryOf;  ///< of each node; kNone: not recorded
  std::set<std::size_t> m_recorded;
  std::map<std::size_t, std::vector<std::string>> m_calls;
  std::vector<std::string> m_others;
  std::vector<Planned> m_plan;
};

}  // namespace

Result<DumpUnitPtr> readTorchToken(const Process& process,
                                   const TokenFolder& token,
                                   const UnitAxes& axes,
                                   const std::stop_token& stop,
                                   const Progress& progress) {
  return TokenReader(process.models, token, axes).read(stop, progress);
}

Result<DumpUnitPtr> readWeights(const fs::path& folder,
                                const UnitAxes& axes,
                                const std::stop_token& stop,
                                const Progress& progress) {
  auto unit = std::make_shared<RecordedUnit>();
  unit->axes = axes;
  const std::vector<std::string> names = folderNames(folder);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "reading cancelled");
    }
    if (!names[i].ends_with(kTorchExtension)) {
      continue;
    }
    const std::string name = names[i].substr(0, names[i].size() - kTorchExtension.size());
    const std::size_t mark = std::min(name.rfind('.'), name.size());
    const std::string module = name.substr(0, mark);
    if (unit->entries.empty() || unit->entries.back().name != module) {
      unit->addEntry({.name = module, .kind = EntryKind::Tensor, .module = withoutRoot(module)});
    }
    unit->addRow({.name = name,
                  .role = Role::Parameter,
                  .index = mark < name.size() ? name.substr(mark + 1) : name},
                 folder / names[i]);
    if (progress) {
      progress(i + 1, names.size());
    }
  }
  return DumpUnitPtr(std::move(unit));
}

}  // namespace ulp::dumps::msit
