#include "core/compat/msprobe/pairs/process_pairs.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <system_error>
#include <utility>

#include "core/dumps/model/folders.h"

namespace ulp::compat::msprobe {
namespace {

namespace fs = std::filesystem;
using dumps::msprobe::ProcessFolder;
using Processes = std::vector<ProcessFolder>;

/// A file, or a folder with dump.json in it: one result without a rank in its name.
bool isOneProcess(const fs::path& path) {
  return dumps::isFile(path) || dumps::isFile(path / "dump.json") ||
         dumps::isFile(path / "debug.json");
}

Result<Processes> find(const fs::path& path) {
  Processes found = dumps::msprobe::findProcesses(path);
  std::error_code status;
  if (found.empty() || !fs::exists(found.front().json, status)) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: holds no dump.json, nor folders step*, rank* or proc* with one",
                            path.string()));
  }
  return found;
}

std::map<std::string, Processes> byStep(const Processes& processes) {
  std::map<std::string, Processes> steps;
  for (const ProcessFolder& process : processes) {
    steps[process.step].push_back(process);
  }
  return steps;
}

bool areRanks(const Processes& processes) {
  return std::ranges::all_of(
      processes, [](const ProcessFolder& each) { return each.process.starts_with("rank"); });
}

/// msprobe's own rule: as many ranks on both sides are paired in their order, whatever their
/// numbers; it refuses other counts, of which here those of the same number are paired.
bool arePairedInOrder(const Processes& targets, const Processes& goldens) {
  const bool isSingle = targets.size() == 1 && goldens.size() == 1;
  return isSingle || (targets.size() == goldens.size() && areRanks(targets) && areRanks(goldens));
}

/// Of `place` among the targets; null: there is none.
const ProcessFolder* goldenFor(const Processes& targets,
                               std::size_t place,
                               const Processes& goldens) {
  if (arePairedInOrder(targets, goldens)) {
    return &goldens[place];
  }
  const ProcessFolder& target = targets[place];
  const auto golden = std::ranges::find_if(goldens, [&](const auto& each) {
    return each.rank ? each.rank == target.rank : each.process == target.process;
  });
  return golden == goldens.end() ? nullptr : &*golden;
}

void pairStep(ProcessPairs& result,
              const Processes& targets,
              const Processes& goldens,
              const fs::path& folder) {
  for (std::size_t each = 0; each < targets.size(); ++each) {
    const ProcessFolder& target = targets[each];
    const ProcessFolder* golden = goldenFor(targets, each, goldens);
    if (golden == nullptr) {
      result.notes.push_back(fmt::format("{}: the golden dump has no such process; it was left out",
                                         target.json.parent_path().string()));
      continue;
    }
    if (target.rank && golden->rank && target.rank != golden->rank) {
      result.notes.push_back(
          fmt::format("{}: is compared with {}: as many ranks are paired in their order",
                      target.json.parent_path().string(),
                      golden->json.parent_path().string()));
    }
    result.pairs.push_back(
        {target, *golden, "_" + target.process, folder, processKey(target, targets.size() == 1)});
  }
}

}  // namespace

Result<ProcessPairs> pairProcesses(const fs::path& target, const fs::path& golden) {
  const auto targets = ULP_TRY(find(target));
  const auto goldens = ULP_TRY(find(golden));
  ProcessPairs result;
  if ((isOneProcess(target) || isOneProcess(golden)) && targets.size() == 1 &&
      goldens.size() == 1) {
    result.pairs.push_back(
        {targets.front(), goldens.front(), "", {}, processKey(targets.front(), true)});
    return result;
  }
  const std::map<std::string, Processes> steps = byStep(targets);
  const std::map<std::string, Processes> others = byStep(goldens);
  const bool isOnly = steps.size() == 1 && others.size() == 1;
  for (const auto& [step, its] : steps) {
    const auto other = isOnly ? others.begin() : others.find(step);
    pairStep(result,
             its,
             other == others.end() ? Processes() : other->second,
             steps.size() == 1 ? fs::path() : fs::path(step));
  }
  if (result.pairs.empty()) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("{} and {}: no step and rank is in both", target.string(), golden.string()));
  }
  return result;
}

std::string processKey(const ProcessFolder& process, bool isOnly) {
  return process.rank || isOnly ? fmt::format("rank_{}", process.rank.value_or(0))
                                : process.process;
}

std::string tableName(const ProcessPair& processes, const std::string& timestamp) {
  return fmt::format("{}compare_result{}_{}",
                     isDebugFile(processes.target.json) ? "debug_" : "",
                     processes.suffix,
                     timestamp);
}

}  // namespace ulp::compat::msprobe
