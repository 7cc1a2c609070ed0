#include "core/analysis/studies/memory/device_memory.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/studies/memory/memory_shadow.h"
#include "core/analysis/studies/run_formats.h"
#include "core/base/list_of.h"
#include "core/study/schema/loss_values.h"
#include "core/study/schema/schema.h"

namespace ulp::analysis {
namespace {

/// Of Pass::Optimizer the parameters of which a row is captured.
std::set<std::pair<Pass, std::string>> capturedSites(const ModelOutline& model,
                                                     const study::Study& study) {
  const auto sites = listOf(outlineSites(model,
                                         {.level = study.captureLevel,
                                          .isEager = true,
                                          .backward = study.captureBackward,
                                          .parameterGradients = study.captureParameterGradients,
                                          .optimizer = study.optimizer.rows()}),
                            &OutlineSite::site);
  const auto matches = matchPatterns(sites, study.include, study.exclude);
  std::set<std::pair<Pass, std::string>> captured;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (!matches || matches->captured[i]) {
      const std::string& name = sites[i].name;
      const bool isStep = sites[i].pass == Pass::Optimizer;
      captured.emplace(sites[i].pass, isStep ? name.substr(0, name.rfind('.')) : name);
    }
  }
  return captured;
}

/// The default alone is computed by LibTorch itself.
LossKind kindOf(const study::LossTermSetting& term) {
  const study::Key* const type = study::findKey("loss.type");
  if (type != nullptr && term.type == type->defaultText) {
    return LossKind::CrossEntropy;
  }
  const std::vector<std::string_view> policies = study::policyLossTypes();
  return std::ranges::find(policies, term.type) == policies.end() ? LossKind::Softmax
                                                                  : LossKind::Policy;
}

}  // namespace

MemoryOfRuns deviceMemory(const ModelOutline& model,
                          const study::Study& study,
                          std::uint64_t room) {
  if (study.positions() <= 0 || study.microBatchSize <= 0) {
    return {};
  }
  const StepShape step{.batch = study.microBatchSize,
                       .length = study.positions(),
                       .microBatches = static_cast<std::uint64_t>(
                           std::max<std::int64_t>(study.step.microBatches, 1)),
                       .backward = study.captureBackward,
                       .optimizer = study.optimizer,
                       .prompt = study.generated > 0 ? study.sequenceLength : 0,
                       .losses = listOf(study.loss.terms, kindOf),
                       .scalesLogits = study.loss.logitsScale != 1};
  const auto captured = capturedSites(model, study);
  MemoryShadow shadow(
      model,
      step,
      [&captured](Pass pass, std::string_view name) {
        return captured.contains({pass, std::string(name)});
      },
      room);
  const auto isPlanned = [&step](const RunFormats& formats) {
    return pieceCount(formats, step) <= kMostPieces;
  };
  MemoryOfRuns runs;
  const std::vector<RunFormats> all = runFormats(study, true);
  if (!isPlanned(all.front())) {
    return {};
  }
  runs.emplace(all.front().run, shadow.reference(all.front()));
  for (const RunFormats& formats : std::span(all).subspan(1)) {
    if (isPlanned(formats)) {
      runs.emplace(formats.run, shadow.variant(formats));
    }
  }
  return runs;
}

std::optional<LargestRun> largestOf(const MemoryOfRuns& runs) {
  const auto largest =
      std::ranges::max_element(runs, {}, [](const auto& entry) { return entry.second.total(); });
  return largest == runs.end() ? std::nullopt
                               : std::optional(LargestRun{largest->first, largest->second});
}

}  // namespace ulp::analysis
