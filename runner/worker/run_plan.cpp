#include "runner/worker/run_plan.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

namespace ulp::worker {
namespace {

using Json = nlohmann::ordered_json;
using Overrides = std::vector<std::pair<std::string, study::Setting>>;

constexpr std::array<std::string_view, 4> kComparedOtherwise{
    "model.path", "input.path", "device", "output_dir"};

Result<std::string> valueOf(const study::Settings& settings, std::string_view key) {
  const auto found = settings.find(key);
  if (found == settings.end()) {
    return fail(ErrorCode::Internal, fmt::format("study: setting '{}' is missing", key));
  }
  return found->second.value;
}

Result<DType> dtypeOf(const study::Settings& settings, std::string_view key) {
  const auto value = valueOf(settings, key);
  if (!value) {
    return tl::unexpected(value.error());
  }
  const auto dtype = parseDType(*value);
  if (!dtype) {
    return fail(ErrorCode::InvalidArgument, fmt::format("{}: '{}' is no dtype", key, *value));
  }
  return *dtype;
}

/// The enumerator at the position that the setting's value has among `names`.
template <class Enum>
Result<Enum> choiceOf(const study::Settings& settings,
                      std::string_view key,
                      std::initializer_list<std::string_view> names) {
  const auto value = valueOf(settings, key);
  if (!value) {
    return tl::unexpected(value.error());
  }
  const auto* const found = std::find(names.begin(), names.end(), *value);
  if (found == names.end()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: '{}' is none of {}", key, *value, fmt::join(names, ", ")));
  }
  return static_cast<Enum>(found - names.begin());
}

Result<engine::PrecisionPlan> precisionPlan(const study::Settings& settings) {
  const auto compute = dtypeOf(settings, "precision.compute_dtype");
  const auto residual = dtypeOf(settings, "precision.residual_dtype");
  const auto head = dtypeOf(settings, "precision.lm_head_dtype");
  for (const auto* dtype : {&compute, &residual, &head}) {
    if (!*dtype) {
      return tl::unexpected(dtype->error());
    }
  }
  const auto cast = choiceOf<engine::Cast>(settings, "precision.cast", {"load", "module"});
  if (!cast) {
    return tl::unexpected(cast.error());
  }
  const auto attention = choiceOf<engine::AttentionImplementation>(
      settings, "attention.implementation", {"eager", "sdpa"});
  if (!attention) {
    return tl::unexpected(attention.error());
  }
  return engine::PrecisionPlan{.compute = *compute,
                               .residual = *residual,
                               .lmHead = *head,
                               .cast = *cast,
                               .attention = *attention};
}

Result<PlannedRun> planRun(const study::Study& study,
                           const std::string& name,
                           const Overrides& overrides) {
  PlannedRun run;
  run.name = name;
  for (const auto& [key, setting] : overrides) {
    run.overrides[key] = setting.value;
  }
  auto effective = study::effectiveSettings(study, name);
  if (!effective) {
    return failWhile(name, std::move(effective));
  }
  run.settings = *std::move(effective);
  run.settings.insert(study.settings.begin(), study.settings.end());
  auto precision = precisionPlan(run.settings);
  if (!precision) {
    return failWhile(name, std::move(precision));
  }
  run.precision = *precision;
  return run;
}

Result<> checkNames(const study::Study& study, const std::vector<std::string>& chosen) {
  std::vector<std::string> known;
  for (const study::Variant& variant : study.variants) {
    known.push_back(variant.name);
  }
  for (const std::string& name : chosen) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return fail(ErrorCode::NotFound,
                  fmt::format("--variant {}: the study has no such variant; it has {}",
                              name,
                              known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
  }
  return {};
}

}  // namespace

Result<std::vector<PlannedRun>> planRuns(const study::Study& study,
                                         const std::vector<std::string>& chosen) {
  if (auto known = checkNames(study, chosen); !known) {
    return tl::unexpected(known.error());
  }
  std::vector<PlannedRun> runs;
  auto reference = planRun(study, std::string(study::kReferenceName), study.reference);
  if (!reference) {
    return tl::unexpected(reference.error());
  }
  runs.push_back(*std::move(reference));
  for (const study::Variant& variant : study.variants) {
    auto run = planRun(study, variant.name, variant.overrides);
    if (!run) {
      return tl::unexpected(run.error());
    }
    run->isChosen =
        chosen.empty() || std::find(chosen.begin(), chosen.end(), variant.name) != chosen.end();
    runs.push_back(*std::move(run));
  }
  return runs;
}

std::string effectiveJson(const std::vector<PlannedRun>& runs) {
  Json json = Json::object();
  for (const PlannedRun& run : runs) {
    Json& settings = json[run.name] = Json::object();
    for (const auto& [key, setting] : run.settings) {
      settings[key] = {{"value", setting.value}, {"origin", study::toString(setting.origin)}};
    }
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string firstDifference(const PlannedRun& run, std::string_view effective) {
  const Json json = Json::parse(effective, nullptr, false);
  if (!json.is_object() || !json.contains(run.name) || !json[run.name].is_object()) {
    return fmt::format("{}: its settings are not recorded", run.name);
  }
  const Json& recorded = json[run.name];
  for (const auto& [key, setting] : run.settings) {
    if (std::find(kComparedOtherwise.begin(), kComparedOtherwise.end(), key) !=
        kComparedOtherwise.end()) {
      continue;
    }
    const auto found = recorded.find(key);
    const bool isRecorded =
        found != recorded.end() && found->is_object() && found->contains("value");
    const std::string before = isRecorded && (*found)["value"].is_string()
                                   ? (*found)["value"].get<std::string>()
                                   : "not recorded";
    if (before != setting.value) {
      return fmt::format("{}: {} was {}, is now {}", run.name, key, before, setting.value);
    }
  }
  return {};
}

}  // namespace ulp::worker
