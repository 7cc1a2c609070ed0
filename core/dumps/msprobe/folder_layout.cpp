#include "core/dumps/msprobe/folder_layout.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <tuple>

#include "core/dumps/model/folders.h"
#include "core/dumps/msprobe/entry_name.h"

namespace ulp::dumps::msprobe {
namespace {

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
  std::ranges::stable_sort(found, [](const ProcessFolder& left, const ProcessFolder& right) {
    return std::tuple(left.step.find('/') != std::string::npos, left.stepNumber, left.rank) <
           std::tuple(right.step.find('/') != std::string::npos, right.stepNumber, right.rank);
  });
  return found;
}

}  // namespace ulp::dumps::msprobe
