#include "core/compat/msprobe/results/process_comparison.h"

#include <fmt/format.h>
#include <utility>

namespace ulp::compat::msprobe {
namespace {

void append(std::vector<std::string>& notes, const std::vector<std::string>& more) {
  notes.insert(notes.end(), more.begin(), more.end());
}

}  // namespace

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
  for (const ProcessPair& pair : processes.pairs) {
    auto compared = compareOne(pair, timestamp, outcome);
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
      request,
      [&](const ProcessPair& pair, const std::string& time, CompareOutcome& outcome) -> Result<> {
        ComparedSides compared;
        compared.sides = ULP_TRY(readSides(pair, rule, outcome.notes, stop, progress));
        if (compared.sides.mode == Mode::Tensor) {
          compared.tensors = ULP_TRY(compareFiles(compared.sides, rule.generation, stop, progress));
          append(outcome.notes, compared.tensors.notes);
        }
        return hasTable(compared.sides, rule.generation, outcome.notes)
                   ? write(pair, time, compared, outcome)
                   : Result<>();
      });
}

Result<> keepFiles(Result<std::vector<std::filesystem::path>> written, CompareOutcome& outcome) {
  const auto files = ULP_TRY(std::move(written));
  outcome.files.insert(outcome.files.end(), files.begin(), files.end());
  return {};
}

}  // namespace ulp::compat::msprobe
