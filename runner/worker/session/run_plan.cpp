#include "runner/worker/session/run_plan.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <optional>
#include <utility>

#include "core/json/dump.h"
#include "core/json/parse.h"
#include "core/study/schema/precision_rules.h"
#include "runner/worker/session/noise_floor_runs.h"

namespace ulp::worker {
namespace {

using Overrides = std::vector<std::pair<std::string, study::Setting>>;

/// Runs of the noise floor may come later, as variants may.
constexpr std::array<std::string_view, 5> kComparedOtherwise{
    "model.path", "input.path", "device", "output_dir", "noise_floor"};

Result<std::string> valueOf(const study::Settings& settings, std::string_view key) {
  const auto found = settings.find(key);
  if (found == settings.end()) {
    return fail(ErrorCode::Internal, fmt::format("study: setting '{}' is missing", key));
  }
  return found->second.value;
}

/// The enumerator at the position that the setting's value has among `names`.
template <class Enum>
Result<Enum> choiceOf(const study::Settings& settings,
                      std::string_view key,
                      std::initializer_list<std::string_view> names) {
  const auto value = ULP_TRY(valueOf(settings, key));
  const auto* const found = std::find(names.begin(), names.end(), value);
  if (found == names.end()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: '{}' is none of {}", key, value, fmt::join(names, ", ")));
  }
  return static_cast<Enum>(found - names.begin());
}

Result<bool> flagOf(const study::Settings& settings, std::string_view key) {
  return valueOf(settings, key).map([](const std::string& value) { return value == "true"; });
}

template <class Number>
Result<Number> numberOf(const study::Settings& settings, std::string_view key) {
  const auto value = ULP_TRY(valueOf(settings, key));
  Number number{};
  const char* const end = value.data() + value.size();
  if (const auto read = std::from_chars(value.data(), end, number);
      read.ec != std::errc{} || read.ptr != end) {
    return fail(ErrorCode::InvalidArgument, fmt::format("{}: '{}' is no number", key, value));
  }
  return number;
}

/// Nothing: auto.
Result<std::optional<double>> scaleOf(const study::Settings& settings) {
  constexpr std::string_view kKey = "gradient.scale";
  const auto value = valueOf(settings, kKey);
  if (value && *value == "auto") {
    return std::optional<double>();
  }
  return numberOf<double>(settings, kKey).map([](double scale) { return std::optional(scale); });
}

/// What was set; what follows is derived anew at each site.
Result<numerics::FormatOverrides> formatsOf(const study::Settings& settings) {
  numerics::FormatOverrides formats;
  for (const std::string_view key : numerics::operationKeys()) {
    const std::string path = fmt::format("precision.{}", key);
    const auto found = settings.find(path);
    if (found == settings.end()) {
      return fail(ErrorCode::Internal, fmt::format("study: setting '{}' is missing", path));
    }
    const auto format = numerics::parseNumberFormat(found->second.value);
    if (!format) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: '{}' is no dtype", path, found->second.value));
    }
    if (!found->second.follows) {
      formats[*numerics::parseOperationKey(key)] = *format;
    }
  }
  return formats;
}

Result<std::vector<engine::PrecisionRule>> rulesOf(const study::Settings& settings) {
  const auto value = ULP_TRY(valueOf(settings, "precision.rules"));
  const auto parsed = ULP_TRY(study::parseRules(value));
  std::vector<engine::PrecisionRule> rules;
  for (const study::PrecisionRule& rule : parsed) {
    rules.push_back(
        {rule.match, static_cast<engine::PrecisionRule::Passes>(rule.pass), rule.formats});
  }
  return rules;
}

/// Takes the value out of a result into a plan, or keeps the first error.
class PlanReader {
 public:
  explicit PlanReader(const study::Settings& settings) : m_settings(&settings) {}

  template <class Value>
  void take(Value& target, Result<Value> value) {
    if (value) {
      target = *std::move(value);
    } else if (m_status) {
      m_status = tl::unexpected(std::move(value.error()));
    }
  }
  template <class Enum>
  void choose(Enum& target, std::string_view key, std::initializer_list<std::string_view> names) {
    take(target, choiceOf<Enum>(*m_settings, key, names));
  }
  [[nodiscard]] const Result<>& status() const { return m_status; }

 private:
  const study::Settings* m_settings;
  Result<> m_status;
};

Result<engine::PrecisionPlan> precisionPlan(const study::Settings& settings) {
  engine::PrecisionPlan plan;
  PlanReader reader(settings);
  reader.choose(plan.semantics, "semantics", {"transformers", "fast_llm"});
  reader.choose(plan.norm, "norm.implementation", {"transformers", "fused"});
  reader.choose(plan.rotary, "rotary.implementation", {"transformers", "fused"});
  reader.choose(plan.mlp, "mlp.implementation", {"transformers", "fused"});
  reader.choose(plan.attention,
                "attention.implementation",
                {"eager", "sdpa", "sdpa_math", "sdpa_flash", "sdpa_efficient", "sdpa_cudnn"});
  reader.choose(plan.cast, "precision.cast", {"load", "module"});
  reader.take(plan.formats, formatsOf(settings));
  reader.take(plan.rules, rulesOf(settings));
  reader.choose(plan.rounding, "precision.rounding", {"nearest", "stochastic"});
  reader.take(plan.roundingSeed, numberOf<std::uint64_t>(settings, "precision.rounding_seed"));
  reader.choose(plan.overflow, "precision.overflow", {"propagate", "saturate"});
  reader.choose(plan.float32Products, "matmul.float32_precision", {"highest", "high", "medium"});
  reader.take(plan.reducedPrecisionReduction,
              flagOf(settings, "matmul.reduced_precision_reduction"));
  reader.take(plan.gradientScale, scaleOf(settings));
  reader.take(plan.threads, numberOf<int>(settings, "runtime.threads"));
  reader.take(plan.deterministic, flagOf(settings, "runtime.deterministic"));
  if (!reader.status()) {
    return tl::unexpected(reader.status().error());
  }
  return plan;
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

engine::OptimizerPlan optimizerOf(const study::Study& study) {
  const study::OptimizerSettings& settings = study.optimizer;
  return {.type = static_cast<engine::OptimizerPlan::Type>(settings.type),
          .learningRate = settings.learningRate,
          .beta1 = settings.beta1,
          .beta2 = settings.beta2,
          .epsilon = settings.epsilon,
          .weightDecay = settings.weightDecay,
          .momentum = settings.momentum};
}

Result<PlannedRun> planReference(const study::Study& study) {
  return planRun(study, std::string(study::kReferenceName), study.reference);
}

Result<std::vector<PlannedRun>> planRuns(const study::Study& study,
                                         const std::vector<std::string>& chosen) {
  ULP_TRY(checkNames(study, chosen));
  std::vector<PlannedRun> runs;
  auto reference = ULP_TRY(planReference(study));
  runs.push_back(std::move(reference));
  for (const study::Variant& variant : study.variants) {
    auto run = ULP_TRY(planRun(study, variant.name, variant.overrides));
    run.isChosen =
        chosen.empty() || std::find(chosen.begin(), chosen.end(), variant.name) != chosen.end();
    runs.push_back(std::move(run));
  }
  auto floor = ULP_TRY(planNoiseFloor(study));
  std::ranges::move(floor, std::back_inserter(runs));
  return runs;
}

std::string effectiveJson(const std::vector<PlannedRun>& runs) {
  json::Object effective;
  for (const PlannedRun& run : runs) {
    json::Object settings;
    for (const auto& [key, setting] : run.settings) {
      settings[key] =
          json::Object{{"value", setting.value}, {"origin", study::toString(setting.origin)}};
    }
    effective[run.name] = std::move(settings);
  }
  return json::dump(effective);
}

std::string firstDifference(const PlannedRun& run, std::string_view effective) {
  const json::Value settings = json::parse(effective).value_or(json::Value());
  const json::Value& recorded = settings.at(run.name);
  if (!recorded.isObject()) {
    return fmt::format("{}: its settings are not recorded", run.name);
  }
  for (const auto& [key, setting] : run.settings) {
    if (std::find(kComparedOtherwise.begin(), kComparedOtherwise.end(), key) !=
        kComparedOtherwise.end()) {
      continue;
    }
    const json::Value& value = recorded.at(key).at("value");
    const std::string before = value.isText() ? value.text() : "not recorded";
    if (before != setting.value) {
      return fmt::format("{}: {} was {}, is now {}", run.name, key, before, setting.value);
    }
  }
  return {};
}

}  // namespace ulp::worker
