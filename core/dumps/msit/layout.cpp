#include "core/dumps/msit/layout.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/text/parse_number.h"
#include "core/dumps/model/folders.h"

namespace ulp::dumps::msit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModelTree = "model_tree.json";
constexpr std::size_t kLevelsBelow = 2;  ///< that a token of PyTorch may lie below its process

std::string pidOf(const fs::path& process) {
  const std::string name = process.filename().string();
  const std::size_t mark = name.rfind('_');
  return mark == std::string::npos ? name : name.substr(mark + 1);
}

std::vector<fs::path> structuresOf(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const std::string& name : folderNames(folder)) {
    if (name.ends_with(".json")) {
      files.push_back(folder / name);
    }
  }
  return files;
}

bool isAtbDump(const fs::path& folder) {
  if (!isFolder(folder / "tensors")) {
    return false;
  }
  const std::vector<std::string> pids = folderNames(folder / "model");
  return std::ranges::any_of(
      pids, [&](const std::string& pid) { return !structuresOf(folder / "model" / pid).empty(); });
}

std::vector<ProcessFolder> processesIn(const fs::path& folder, bool (*isProcess)(const fs::path&)) {
  std::vector<ProcessFolder> found;
  for (const std::string& name : folderNames(folder)) {
    if (isProcess(folder / name)) {
      found.push_back({.path = folder / name});
    }
  }
  return found;
}

bool isTorchProcess(const fs::path& folder) {
  return isFile(folder / kModelTree);
}

bool isDumpName(std::string_view name) {
  return name.starts_with("msit_dump") || name.starts_with("ait_dump");
}

/// The dump itself, or the only one in the folder.
fs::path dumpIn(const fs::path& path) {
  std::vector<std::string> names = folderNames(path);
  std::erase_if(names, [](const std::string& name) { return !isDumpName(name); });
  return names.size() == 1 ? path / names.front() : path;
}

std::vector<std::string> tokenNames(const ProcessFolder& folder) {
  if (!folder.token.empty()) {
    return {folder.token};
  }
  std::vector<std::string> names = folderNames(folder.path);
  std::erase_if(names, [&](const std::string& name) {
    return !parseNatural<std::int64_t>(name) || !isFolder(folder.path / name);
  });
  return names;
}

/// With prefill and decode, folder 0 holds the warm-up, and folder 1 the tokens 0 and 1.
void addAtbTokens(Process& process, std::int64_t id, const fs::path& path) {
  const bool hasTwo = process.models.size() > 1;
  if (hasTwo && id == 0) {
    process.tokens.push_back({.token = kWarmUp, .path = path});
  } else if (hasTwo && id == 1) {
    process.tokens.push_back({.token = 0, .path = path, .model = 0});
    process.tokens.push_back({.token = 1, .path = path, .model = 1});
  } else {
    process.tokens.push_back({.token = id, .path = path});
  }
}

Result<std::vector<Topology>> readModels(const fs::path& dump, const std::string& pid) {
  const std::uint64_t shift = isFile(dump / "layer" / pid / "TransdataOperation_0.json") ? 1 : 0;
  std::vector<Topology> models;
  for (const fs::path& file : structuresOf(dump / "model" / pid)) {
    Topology model = ULP_TRY(readAtbTopology(file, shift));
    models.push_back(std::move(model));
  }
  std::ranges::stable_sort(models, {}, [](const Topology& model) {
    return model.nodes.size() > 1 ? model.nodes[1].order : 0;
  });
  models.resize(std::min<std::size_t>(models.size(), 2));
  return models;
}

/// The process with its tokens; `add(process, token, folder)` adds one. Error: NotFound.
template <class Add>
Result<Process> withTokens(Process process, const ProcessFolder& folder, const Add& add) {
  process.isOneToken = !folder.token.empty();
  for (const std::string& name : tokenNames(folder)) {
    if (const auto token = parseNatural<std::int64_t>(name)) {
      add(process, *token, folder.path / name);
    }
  }
  if (process.tokens.empty()) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: no folder of a token; dump the model again, or give the folder "
                            "that was written",
                            folder.path.string()));
  }
  std::ranges::sort(process.tokens, {}, [](const TokenFolder& token) {
    return std::pair(token.token == kWarmUp, token.token);
  });
  return process;
}

}  // namespace

std::optional<std::int64_t> deviceNumber(const fs::path& process) {
  const std::string name = process.filename().string();
  const std::string_view device = std::string_view(name).substr(0, name.find('_'));
  const std::size_t letters = device.find_first_of("0123456789");
  return letters == std::string_view::npos ? std::nullopt
                                           : parseNatural<std::int64_t>(device.substr(letters));
}

std::vector<ProcessFolder> findTorchProcesses(const fs::path& path) {
  const fs::path whole = normalPath(path);
  fs::path above = whole;
  std::string token;
  for (std::size_t level = 0; level <= kLevelsBelow; ++level) {
    if (isTorchProcess(above)) {
      return {{.path = above, .token = token}};
    }
    token = above.filename().string();
    above = above.parent_path();
  }
  for (const fs::path& folder : {whole, whole / "torch_tensors", dumpIn(whole) / "torch_tensors"}) {
    std::vector<ProcessFolder> found = processesIn(folder, isTorchProcess);
    if (!found.empty()) {
      return found;
    }
  }
  return {};
}

std::vector<ProcessFolder> findAtbProcesses(const fs::path& path) {
  const fs::path whole = normalPath(path);
  const fs::path dump = dumpIn(whole);
  if (isAtbDump(dump)) {
    return processesIn(dump / "tensors", isFolder);
  }
  if (isAtbDump(whole.parent_path()) && whole.filename() == "tensors") {
    return processesIn(whole, isFolder);
  }
  const fs::path above = whole.parent_path();
  if (above.filename() == "tensors" && isAtbDump(above.parent_path())) {
    return {{.path = whole}};
  }
  const fs::path higher = above.parent_path();
  if (higher.filename() == "tensors" && isAtbDump(higher.parent_path())) {
    return {{.path = above, .token = whole.filename().string()}};
  }
  return {};
}

Result<Process> openTorchProcess(const ProcessFolder& folder) {
  Topology modules = ULP_TRY(readModelTree(folder.path / kModelTree));
  Process process{.path = folder.path, .models = {}, .tokens = {}};
  process.models.push_back(std::move(modules));
  return withTokens(
      std::move(process), folder, [](Process& its, std::int64_t token, const fs::path& path) {
        its.tokens.push_back({.token = token, .path = path});
      });
}

Result<Process> openAtbProcess(const ProcessFolder& folder) {
  const fs::path dump = folder.path.parent_path().parent_path();
  const std::string pid = pidOf(folder.path);
  std::vector<Topology> models = ULP_TRY(readModels(dump, pid));
  if (models.empty()) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: no structure of the model of process {}; dump again with 'model' "
                            "among the types",
                            (dump / "model" / pid).string(),
                            pid));
  }
  return withTokens(
      {.path = folder.path, .models = std::move(models), .tokens = {}}, folder, addAtbTokens);
}

Result<std::vector<ProcessPtr>> openProcesses(const fs::path& dump,
                                              const std::vector<ProcessFolder>& folders,
                                              Result<Process> (*open)(const ProcessFolder& folder),
                                              std::vector<Sentence>& notes) {
  const std::vector<std::optional<std::int64_t>> ranks =
      ranksOf(listOf(folders, &ProcessFolder::path));
  std::vector<ProcessPtr> processes;
  std::optional<Error> first;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    Result<Process> process = open(folders[i]);
    if (process) {
      process->rank = ranks[i];
      processes.push_back(std::make_shared<const Process>(std::move(*process)));
      continue;
    }
    notes.emplace_back(process.error().message());
    if (!first) {
      first = std::move(process.error());
    }
  }
  if (processes.empty()) {
    return tl::unexpected<Error>(first.value_or(
        Error(ErrorCode::NotFound, dump.string() + ": no folder of a process in it")));
  }
  return processes;
}

UnitInfo tokenUnit(const ProcessPtr& process, const TokenFolder& token, ReadToken read) {
  return {.axes = {.rank = process->rank, .token = token.token},
          .path = token.path,
          .open = [process, &token, read](
                      const UnitInfo& unit, const std::stop_token& stop, const Progress& progress) {
            return read(*process, token, unit.axes, stop, progress);
          }};
}

std::vector<std::optional<std::int64_t>> ranksOf(const std::vector<fs::path>& processes) {
  std::vector<std::optional<std::int64_t>> ranks(processes.size());
  if (processes.size() < 2) {
    return ranks;
  }
  std::set<std::int64_t> known;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    ranks[i] = deviceNumber(processes[i]);
    known.insert(ranks[i].value_or(-1));
  }
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const bool isKnown = known.size() == processes.size() && !known.contains(-1);
    ranks[i] = isKnown ? ranks[i] : std::optional(static_cast<std::int64_t>(i));
  }
  return ranks;
}

}  // namespace ulp::dumps::msit
