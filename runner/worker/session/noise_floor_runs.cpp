#include "runner/worker/session/noise_floor_runs.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/numerics/rounding/operation_formats.h"

namespace ulp::worker {
namespace {

using Overrides = std::vector<std::pair<std::string, study::Setting>>;

constexpr std::string_view kComputeKey = "precision.compute_dtype";
constexpr std::string_view kRulesKey = "precision.rules";
constexpr std::string_view kAttentionKey = "attention.implementation";
constexpr std::string_view kThreadsKey = "runtime.threads";

study::Setting ofRun(std::string value) {
  return {.value = std::move(value), .origin = study::Origin::Run};
}

bool isFormat(std::string_view key) {
  return std::ranges::any_of(numerics::operationKeys(), [&](std::string_view operation) {
    return key == fmt::format("precision.{}", operation);
  });
}

/// What the kind changes in the reference; nothing for those that change how it is run.
Result<Overrides> changesOf(const study::Study& study, std::string_view kind) {
  if (kind == "float64") {
    return Overrides{{std::string(kComputeKey), ofRun("float64")}};
  }
  if (kind == "attention") {
    const auto settings = ULP_TRY(study::effectiveSettings(study, study::kReferenceName));
    const bool isEager = settings.find(kAttentionKey)->second.value == "eager";
    return Overrides{{std::string(kAttentionKey), ofRun(isEager ? "sdpa" : "eager")}};
  }
  return Overrides{};
}

Result<PlannedRun> planFloorRun(const study::Study& study, const std::string& kind) {
  const auto changes = ULP_TRY(changesOf(study, kind));
  study::Study changed = study;
  std::erase_if(changed.reference, [&](const auto& setting) {
    const std::string& key = setting.first;
    const bool isReplaced =
        std::ranges::any_of(changes, [&key](const auto& change) { return change.first == key; });
    return isReplaced || (kind == "float64" && (isFormat(key) || key == kRulesKey));
  });
  changed.reference.insert(changed.reference.end(), changes.begin(), changes.end());
  auto run = planReference(changed);
  if (!run) {
    return run;
  }
  run->name = study::noiseFloorRunName(kind);
  run->role = report::RunRole::Floor;
  run->reversesSequences = kind == "batch_order";
  run->overrides.clear();
  for (const auto& [key, setting] : changes) {
    run->overrides[key] = setting.value;
  }
  return run;
}

}  // namespace

Result<std::vector<PlannedRun>> planNoiseFloor(const study::Study& study) {
  std::vector<PlannedRun> runs;
  for (const std::string& kind : study.noiseFloor) {
    auto run = ULP_TRY(planFloorRun(study, kind));
    runs.push_back(std::move(run));
  }
  return runs;
}

Result<> chooseFloorThreads(std::vector<PlannedRun>& runs, int inForce, const std::string& device) {
  const auto run = std::ranges::find(runs, study::noiseFloorRunName("threads"), &PlannedRun::name);
  if (run == runs.end()) {
    return {};
  }
  if (device != "cpu") {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("noise_floor: threads changes nothing on {}, whose kernels do not run "
                            "on the processor's threads; leave it out",
                            device));
  }
  const int used = run->precision.threads > 0 ? run->precision.threads : inForce;
  const int other = used > 1 ? used / 2 : 2;
  run->precision.threads = other;
  run->settings[std::string(kThreadsKey)] = ofRun(std::to_string(other));
  run->overrides[std::string(kThreadsKey)] = std::to_string(other);
  return {};
}

Result<> checkReversible(const std::vector<PlannedRun>& runs,
                         const std::vector<engine::TokenBatch>& microBatches) {
  const bool isAsked = std::ranges::any_of(runs, &PlannedRun::reversesSequences);
  const bool isPossible = std::ranges::all_of(
      microBatches, [](const engine::TokenBatch& tokens) { return tokens.batch > 1; });
  if (!isAsked || isPossible) {
    return {};
  }
  return fail(ErrorCode::InvalidArgument,
              "noise_floor: batch_order needs two sequences or more in each micro-batch: one alone "
              "has no order; set input.micro_batch_size");
}

}  // namespace ulp::worker
