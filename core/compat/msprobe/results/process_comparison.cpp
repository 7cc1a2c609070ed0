#include "core/compat/msprobe/results/process_comparison.h"

#include <algorithm>
#include <cstddef>
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

void append(std::vector<std::string>& notes, const std::vector<std::string>& more) {
  notes.insert(notes.end(), more.begin(), more.end());
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

std::string tableName(const ProcessPair& processes) {
  return fmt::format("{}compare_result{}_{}",
                     isDebugFile(processes.target.json) ? "debug_" : "",
                     processes.suffix,
                     processes.timestamp);
}

Result<Sides> readSides(const ProcessPair& processes,
                        const PairingRule& rule,
                        std::vector<std::string>& notes,
                        const std::stop_token& stop,
                        const dumps::Progress& progress) {
  auto sides = loadSides(processes.target.json, processes.golden.json, rule, stop, progress);
  if (sides) {
    append(notes, sides->target.notes);
    append(notes, sides->golden.notes);
    append(notes, sides->stacks.notes);
  }
  return sides;
}

bool hasTable(const Sides& sides, Generation generation, std::vector<std::string>& notes) {
  const bool isGoldenMissed = generation == Generation::V26 && sides.golden.records.empty();
  if (!sides.target.records.empty() && !isGoldenMissed) {
    return true;
  }
  notes.push_back(fmt::format("{}: holds nothing to compare, so that there is no table",
                              (isGoldenMissed ? sides.golden : sides.target).path.string()));
  return false;
}

Result<CompareOutcome> compareProcesses(const CompareRequest& request,
                                        const CompareProcess& compareOne) {
  auto processes = ULP_TRY(pairProcesses(request.target, request.golden));
  CompareOutcome outcome{.notes = std::move(processes.notes)};
  const std::string timestamp = timestampOf(request, {});
  for (ProcessPair& pair : processes.pairs) {
    pair.timestamp = timestamp;
    auto compared = compareOne(pair, outcome);
    if (!compared && compared.error().code() == ErrorCode::Cancelled) {
      return tl::unexpected<Error>(std::move(compared.error()));
    }
    if (!compared) {
      outcome.failures.push_back(std::move(compared.error()));
    }
  }
  if (outcome.files.empty() && !outcome.failures.empty()) {
    return tl::unexpected<Error>(asOneError(outcome.failures));
  }
  return outcome;
}

Result<CompareOutcome> compareTables(const CompareRequest& request,
                                     const PairingRule& rule,
                                     const WriteTable& write,
                                     const std::stop_token& stop,
                                     const dumps::Progress& progress) {
  return compareProcesses(
      request, [&](const ProcessPair& pair, CompareOutcome& outcome) -> Result<> {
        ComparedSides compared;
        compared.sides = ULP_TRY(readSides(pair, rule, outcome.notes, stop, progress));
        if (compared.sides.mode == Mode::Tensor) {
          compared.tensors = ULP_TRY(compareFiles(compared.sides, rule.generation, stop, progress));
          append(outcome.notes, compared.tensors.notes);
        }
        return hasTable(compared.sides, rule.generation, outcome.notes)
                   ? write(pair, compared, outcome)
                   : Result<>();
      });
}

Result<> keepFiles(Result<std::vector<std::filesystem::path>> written, CompareOutcome& outcome) {
  const auto files = ULP_TRY(std::move(written));
  outcome.files.insert(outcome.files.end(), files.begin(), files.end());
  return {};
}

}  // namespace ulp::compat::msprobe
