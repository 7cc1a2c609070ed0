#include "core/dumps/msprobe/process_folder.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/text/elided.h"
#include "core/dumps/model/folders.h"
#include "core/dumps/msprobe/dump_json.h"
#include "core/dumps/msprobe/entry_name.h"

namespace ulp::dumps::msprobe {
namespace {

/// Tensors that a note names; more are counted.
constexpr std::size_t kNamed = 3;

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> kFiles{"dump.json", "debug.json"};

std::optional<std::int64_t> numberAfter(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) {
    return std::nullopt;
  }
  const auto count = parseCount(name.substr(prefix.size()));
  constexpr auto kLimit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return count && *count <= kLimit ? std::optional(static_cast<std::int64_t>(*count))
                                   : std::nullopt;
}

void addProcess(std::vector<ProcessFolder>& found, const fs::path& folder, std::string_view step) {
  for (const std::string_view file : kFiles) {
    if (!isFile(folder / file)) {
      continue;
    }
    const std::string name = folder.filename().string();
    const std::string_view stepName = step.substr(step.find('/') + 1);  // npos + 1 is 0
    found.push_back({.json = folder / file,
                     .step = std::string(step),
                     .process = isProcessName(name) ? name : std::string(),
                     .stepNumber = numberAfter(stepName, "step"),
                     .rank = numberAfter(name, "rank")});
    return;
  }
}

void addStep(std::vector<ProcessFolder>& found, const fs::path& folder, std::string_view step) {
  const std::vector<fs::path> folders = foldersIn(folder);
  const bool hasRanks = std::ranges::any_of(
      folders, [](const fs::path& each) { return each.filename().string().starts_with("rank"); });
  for (const fs::path& each : folders) {
    const std::string name = each.filename().string();
    if (isProcessName(name) && !(hasRanks && name.starts_with("proc"))) {
      addProcess(found, each, step);
    }
  }
}

void addSteps(std::vector<ProcessFolder>& found, const fs::path& folder, const std::string& above) {
  for (const fs::path& each : foldersIn(folder)) {
    const std::string name = each.filename().string();
    if (numberAfter(name, "step")) {
      addStep(found, each, above + name);
    }
  }
}

/// Of the folder itself, if it is called so.
std::string stepOf(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return numberAfter(name, "step") ? name : std::string();
}

/// What msprobe calls input of a backward call is the gradient that arrives.
Role roleOf(Section section, Pass pass) {
  const bool isBackward = pass == Pass::Backward;
  switch (section) {
    case Section::Input:
      return isBackward ? Role::OutputGradient : Role::Input;
    case Section::Parameters:
      return Role::Parameter;
    case Section::Output:
      return isBackward ? Role::InputGradient : Role::Output;
    case Section::Gradient:
      return Role::ParameterGradient;
    case Section::Saved:
      break;
  }
  return Role::Value;
}

std::optional<double> numberOf(const Scalar& scalar) {
  if (scalar.isNumber()) {
    return scalar.number;
  }
  if (scalar.text == "True" || scalar.text == "False") {
    return scalar.text == "True" ? 1 : 0;
  }
  return std::nullopt;
}

DumpRow toRow(Record record, Pass pass, bool hasFile) {
  DumpRow row{.name = std::move(record.name),
              .role = roleOf(record.section, pass),
              .index = std::move(record.index),
              .value = std::move(record.value),
              .hasElements = hasFile,
              .argument = std::move(record.argument)};
  if (!record.requiresGrad.empty()) {
    row.requiresGrad = record.requiresGrad == "True";
  }
  if (record.isTensor) {
    row.dtype = std::move(record.dtype).value_or("");
    row.shape = std::move(record.dimensions);
    row.statistics = {.max = numberOf(record.statistics[0]),
                      .min = numberOf(record.statistics[1]),
                      .mean = numberOf(record.statistics[2]),
                      .norm = numberOf(record.statistics[3])};
    row.checksum = record.isChecksumMade ? std::string() : std::move(record.checksum);
  }
  return row;
}

class ProcessUnit final : public DumpUnit {
 public:
  ProcessUnit(const ProcessFolder& process, DumpJson dump, CallStacks& stacksOfCalls)
      : m_tensors(process.json.parent_path() / kTensorFolder) {
    axes = {.step = process.stepNumber, .rank = process.rank};
    append(notes, dump.notes);
    append(notes, stacksOfCalls.notes);
    addEntries(dump, stacksOfCalls);
    stacks = std::move(stacksOfCalls.stacks);
  }

  /// The calls of a dump that recorded structure only, and who encloses whom.
  void place(const Construct& construct, const CallStacks& known, const fs::path& path) {
    append(notes, construct.notes);
    if (entries.empty()) {
      for (const Construct::Call& call : construct.calls) {
        addCall(call.name, known);
      }
    }
    NumbersByName places;
    places.reserve(entries.size());
    for (std::size_t entry = 0; entry < entries.size(); ++entry) {
      places.insert(entries[entry].name, entry);
    }
    for (DumpEntry& entry : entries) {
      enclose(entry, construct, places);
    }
    noteUnrecorded(construct, places, path);
  }

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override {
    if (!rows[row].hasElements) {
      return fail(ErrorCode::NotFound,
                  fmt::format("{}: '{}': no elements were dumped; use task: tensor",
                              m_tensors.string(),
                              rows[row].name));
    }
    return readTensorFile(m_tensors / m_files.at(row));
  }

 private:
  static void append(std::vector<Sentence>& to, const std::vector<std::string>& more) {
    to.insert(to.end(), more.begin(), more.end());
  }

  DumpEntry& addCall(const std::string& name, const CallStacks& known) {
    const EntryName parsed = parseEntryName(name);
    addEntry({.name = name,
              .kind = parsed.kind,
              .pass = parsed.pass,
              .module = std::string(parsed.module),
              .operation = std::string(parsed.operation),
              .call = parsed.call,
              .stack = known.byEntry.find(name).value_or(kNone)});
    return entries.back();
  }

  void addEntries(DumpJson& dump, const CallStacks& known) {
    const std::vector<std::string> names = folderNames(m_tensors);
    const std::unordered_set<std::string_view> present(names.begin(), names.end());
    std::vector<std::string> missing;
    rows.reserve(dump.records.size());
    entries.reserve(dump.entries.size());
    for (const EntryRecords& recorded : dump.entries) {
      DumpEntry& entry = addCall(recorded.name, known);
      for (const EmptyContainer& empty : recorded.empties) {
        entry.empties.push_back({roleOf(empty.section, entry.pass), empty.index, empty.isList});
      }
      for (std::size_t each = recorded.first; each < recorded.first + recorded.count; ++each) {
        Record& record = dump.records[each];
        const bool isThere = !record.fileName.empty() && present.contains(record.fileName);
        if (isThere) {
          m_files.emplace(rows.size(), record.fileName);
        } else if (!record.fileName.empty()) {
          missing.push_back(record.fileName);
        }
        addRow(toRow(std::move(record), entry.pass, isThere));
      }
    }
    if (!missing.empty()) {
      notes.emplace_back(
          fmt::format("{}: {} files that dump.json names are missing ({}); copy the "
                      "whole folder",
                      m_tensors.string(),
                      missing.size(),
                      firstNames(missing, kNamed)));
    }
  }

  /// The nearest enclosing call that was recorded, and the module of the nearest one.
  static void enclose(DumpEntry& entry, const Construct& construct, const NumbersByName& places) {
    const Construct::Call* call = construct.find(entry.name);
    // A hostile file could enclose calls in a circle.
    for (std::size_t steps = 0; steps < 1000 && call != nullptr && !call->parent.empty(); ++steps) {
      const std::string& name = call->parent;
      const EntryName parsed = parseEntryName(name);
      if (entry.module.empty() && parsed.kind == EntryKind::Module) {
        entry.module = parsed.module;
      }
      if (const auto place = places.find(name)) {
        entry.parent = *place;
        return;
      }
      call = construct.find(name);
    }
  }

  void noteUnrecorded(const Construct& construct,
                      const NumbersByName& places,
                      const fs::path& path) {
    std::vector<std::string> unrecorded;
    for (const Construct::Call& call : construct.calls) {
      if (!places.contains(call.name) && parseEntryName(call.name).kind == EntryKind::Module) {
        unrecorded.push_back(call.name);
      }
    }
    if (!unrecorded.empty()) {
      notes.emplace_back(
          fmt::format("{}: {} module calls were made of which the dump holds nothing "
                      "({}); a filter, a captured graph or an early end left them out",
                      path.string(),
                      unrecorded.size(),
                      firstNames(unrecorded, kNamed)));
    }
  }

  fs::path m_tensors;
  std::unordered_map<std::size_t, std::string> m_files;  ///< by row
};

}  // namespace

bool isProcessName(const std::string& name) {
  return name == "rank" || numberAfter(name, "rank") || numberAfter(name, "proc");
}

std::vector<ProcessFolder> findProcesses(const std::filesystem::path& path) {
  std::vector<ProcessFolder> found;
  const fs::path clean = normalPath(path);
  if (isFile(clean)) {
    const std::string name = clean.parent_path().filename().string();
    const std::string step = stepOf(clean.parent_path().parent_path());
    found.push_back({.json = clean,
                     .step = step,
                     .process = isProcessName(name) ? name : std::string(),
                     .stepNumber = numberAfter(step, "step"),
                     .rank = numberAfter(name, "rank")});
    return found;
  }
  addProcess(found, clean, stepOf(clean.parent_path()));
  if (found.empty()) {
    addStep(found, clean, stepOf(clean));
  }
  if (found.empty()) {
    addSteps(found, clean, "");
    for (const std::string mode : {"graph", "pynative"}) {
      addSteps(found, clean / mode, mode + "/");
    }
  }
  std::ranges::stable_sort(found, {}, [](const ProcessFolder& each) {
    return std::tuple(each.step.find('/') != std::string::npos, each.stepNumber, each.rank);
  });
  return found;
}

Result<DumpUnitPtr> openProcess(const ProcessFolder& process,
                                const std::stop_token& stop,
                                const Progress& progress) {
  auto dump = ULP_TRY(readDumpJson(process.json, stop, progress));
  const fs::path stackPath = process.json.parent_path() / "stack.json";
  CallStacks stacks;
  if (isFile(stackPath)) {
    stacks = ULP_TRY(readCallStacks(stackPath, stop));
  }
  const fs::path constructPath = process.json.parent_path() / "construct.json";
  auto unit = std::make_shared<ProcessUnit>(process, std::move(dump), stacks);
  if (isFile(constructPath)) {
    const auto construct = ULP_TRY(readConstruct(constructPath, stop));
    unit->place(construct, stacks, constructPath);
  }
  return unit;
}

}  // namespace ulp::dumps::msprobe
