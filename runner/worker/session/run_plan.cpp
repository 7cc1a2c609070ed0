#include "runner/worker/session/run_plan.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/text/parse_number.h"
#include "core/json/dump.h"
#include "core/json/parse.h"
#include "core/numerics/rounding/operation_formats.h"
#include "core/study/reading/batch_settings.h"
#include "core/study/reading/changed_settings.h"
#include "core/study/reading/exact_attention.h"
#include "core/study/schema/precision_rules.h"
#include "core/study/schema/schema.h"
#include "runner/worker/session/device_choice.h"

namespace ulp::worker {
namespace {

using Overrides = std::vector<std::pair<std::string, study::Setting>>;

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
  const auto number = parseNumber<Number>(value);
  if (!number) {
    return fail(ErrorCode::InvalidArgument, fmt::format("{}: '{}' is no number", key, value));
  }
  return *number;
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

constexpr std::string_view kAttentionKey = "attention.implementation";
constexpr std::string_view kOrderKey = "attention.order";

/// The enumerator of what both engines know, or the name of what transformers alone knows.
Result<> chooseAttention(const study::Settings& settings, engine::PrecisionPlan& plan) {
  const std::initializer_list<std::string_view> known{
      "eager", "sdpa", "sdpa_math", "sdpa_flash", "sdpa_efficient", "sdpa_cudnn"};
  const auto name = ULP_TRY(valueOf(settings, kAttentionKey));
  if (std::ranges::find(known, name) == known.end()) {
    plan.python.attention = name;
    return {};
  }
  plan.attention =
      ULP_TRY(choiceOf<engine::AttentionImplementation>(settings, kAttentionKey, known));
  if (settings.find(kAttentionKey)->second.origin == study::Origin::Default) {
    plan.python.attention = "default";
  }
  const auto order = ULP_TRY(valueOf(settings, kOrderKey));
  const auto listed = ULP_TRY(json::parse(order));
  for (const json::Value& kernel : listed.items()) {
    const std::initializer_list<std::string_view> kernels{"math", "flash", "efficient", "cudnn"};
    const auto* const found = std::find(kernels.begin(), kernels.end(), kernel.text());
    if (found == kernels.end()) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: '{}' is no kernel", kOrderKey, kernel.text()));
    }
    plan.attentionOrder.push_back(static_cast<engine::AttentionKernel>(found - kernels.begin()));
  }
  return {};
}

Result<> chooseFloat8(const study::Settings& settings, engine::Float8Products& float8) {
  float8.scaling = ULP_TRY(
      choiceOf<engine::Float8Scaling>(settings, "matmul.float8", {"none", "tensor", "row"}));
  float8.kernel = ULP_TRY(
      choiceOf<engine::Float8Kernel>(settings, "matmul.float8_kernel", {"simulated", "scaled_mm"}));
  const auto gradient = ULP_TRY(valueOf(settings, "matmul.float8_gradient"));
  float8.gradient =
      numerics::parseNumberFormat(gradient).value_or(numerics::NumberFormat::Float8E5M2);
  float8.powerOfTwoScales = ULP_TRY(flagOf(settings, "matmul.float8_power_of_two_scales"));
  float8.fastAccumulation = ULP_TRY(flagOf(settings, "matmul.float8_fast_accumulation"));
  float8.modules = ULP_TRY(valueOf(settings, "matmul.float8_modules"));
  return {};
}

/// What only the Python engine knows.
Result<> choosePython(const study::Settings& settings, engine::PythonPlan& plan) {
  plan.autocast = numerics::parseNumberFormat(ULP_TRY(valueOf(settings, "precision.autocast")));
  const auto compile = ULP_TRY(valueOf(settings, "python.compile"));
  plan.compile = compile == "none" ? std::string() : compile;
  plan.compileMode = ULP_TRY(valueOf(settings, "python.compile_mode"));
  plan.compileBackend = ULP_TRY(valueOf(settings, "python.compile_backend"));
  const auto quantization = ULP_TRY(valueOf(settings, "python.quantization"));
  plan.quantization = quantization == "{}" ? std::string() : quantization;
  plan.device = ULP_TRY(valueOf(settings, "python.device"));
  plan.deviceMap = ULP_TRY(valueOf(settings, "python.device_map"));
  const auto cache = ULP_TRY(valueOf(settings, "python.cache"));
  plan.cache = cache == "{}" ? std::string() : cache;
  plan.ranks = ULP_TRY(numberOf<int>(settings, "python.ranks"));
  plan.launcher = ULP_TRY(valueOf(settings, "python.launcher"));
  plan.parallel = ULP_TRY(valueOf(settings, "python.parallel"));
  plan.reduce = ULP_TRY(valueOf(settings, "python.reduce"));
  return {};
}

Result<engine::PrecisionPlan> precisionPlan(const study::Settings& settings) {
  engine::PrecisionPlan plan;
  const auto choose = [&]<class Enum>(Enum& target,
                                      std::string_view key,
                                      std::initializer_list<std::string_view> names) -> Result<> {
    target = ULP_TRY(choiceOf<Enum>(settings, key, names));
    return {};
  };
  ULP_TRY(choose(plan.semantics, "semantics", {"transformers", "fast_llm"}));
  ULP_TRY(choose(plan.norm, "norm.implementation", {"transformers", "fused"}));
  ULP_TRY(choose(plan.rotary, "rotary.implementation", {"transformers", "fused"}));
  ULP_TRY(choose(plan.mlp, "mlp.implementation", {"transformers", "fused"}));
  ULP_TRY(chooseAttention(settings, plan));
  ULP_TRY(choose(plan.cast, "precision.cast", {"load", "module"}));
  plan.formats = ULP_TRY(formatsOf(settings));
  plan.rules = ULP_TRY(rulesOf(settings));
  ULP_TRY(choose(plan.rounding, "precision.rounding", {"nearest", "stochastic"}));
  plan.roundingSeed = ULP_TRY(numberOf<std::uint64_t>(settings, "precision.rounding_seed"));
  ULP_TRY(choose(plan.overflow, "precision.overflow", {"propagate", "saturate"}));
  ULP_TRY(choose(plan.float32Products, "matmul.float32_precision", {"highest", "high", "medium"}));
  plan.reducedPrecisionReduction = ULP_TRY(flagOf(settings, "matmul.reduced_precision_reduction"));
  plan.splitK = ULP_TRY(flagOf(settings, "matmul.split_k"));
  plan.float16Accumulation = ULP_TRY(flagOf(settings, "matmul.float16_accumulation"));
  ULP_TRY(choose(plan.library, "matmul.library", {"default", "cublas", "cublaslt"}));
  ULP_TRY(chooseFloat8(settings, plan.float8));
  plan.reducedPrecisionAttention =
      ULP_TRY(flagOf(settings, "attention.reduced_precision_reduction"));
  plan.gradientScale = ULP_TRY(scaleOf(settings));
  plan.threads = ULP_TRY(numberOf<int>(settings, "runtime.threads"));
  plan.deterministic = ULP_TRY(flagOf(settings, "runtime.deterministic"));
  ULP_TRY(choosePython(settings, plan.python));
  return plan;
}

engine::BatchPlan batchPlan(const study::BatchSettings& batch) {
  using Side = engine::BatchPlan::Side;
  return {.among = batch.among,
          .place = batch.place,
          .seed = batch.seed,
          .padding = batch.padding,
          .side = batch.isPaddedLeft ? Side::Left : Side::Right,
          .chunkLength = batch.chunkLength,
          .cacheFormat = batch.cacheFormat};
}

Result<PlannedRun> planRun(const study::Study& study,
                           const std::string& name,
                           const Overrides& overrides) {
  PlannedRun run;
  run.name = name;
  for (const auto& [key, setting] : overrides) {
    run.overrides[key] = setting.value;
  }
  run.settings = ULP_TRY(whileDoing(name, study::effectiveSettings(study, name)));
  run.settings.insert(study.settings.begin(), study.settings.end());
  run.precision = ULP_TRY(whileDoing(name, precisionPlan(run.settings)));
  const study::BatchSettings batch = study::batchSettings(study, run.settings);
  run.batch = batchPlan(batch);
  run.generatesInSteps = batch.generatesInSteps;
  run.precision.python.prepare =
      study::resolveFunction(study, run.settings.find("python.prepare")->second.value);
  return run;
}

Result<> checkNames(const study::Study& study, const std::vector<std::string>& chosen) {
  const auto known = listOf(study.variants, &study::Variant::name);
  for (const std::string& name : chosen) {
    if (std::ranges::count(known, name) == 0) {
      return fail(ErrorCode::NotFound,
                  fmt::format("--variant {}: the study has no such variant; it has {}",
                              name,
                              known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
  }
  return {};
}

/// The reference alone.
Result<PlannedRun> planReference(const study::Study& study) {
  return planRun(study, std::string(study::kReferenceName), study.reference);
}

constexpr std::string_view kComputeKey = "precision.compute_dtype";
constexpr std::string_view kRulesKey = "precision.rules";
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
    return Overrides{{std::string(kAttentionKey), ofRun(isEager ? "sdpa" : "eager")},
                     {std::string(kOrderKey), ofRun("[]")}};
  }
  return Overrides{};
}

/// The reference once more, for a kind of noise floor.
Result<PlannedRun> planFloorRun(const study::Study& study, const std::string& kind) {
  const auto changes = ULP_TRY(changesOf(study, kind));
  study::Study changed = study;
  std::erase_if(changed.reference, [&](const auto& setting) {
    const std::string& key = setting.first;
    const bool isReplaced =
        std::ranges::any_of(changes, [&key](const auto& change) { return change.first == key; });
    const bool isPrecision = isFormat(key) || key == kRulesKey || key.starts_with("matmul.float8");
    return isReplaced || (kind == "float64" && isPrecision);
  });
  changed.reference.insert(changed.reference.end(), changes.begin(), changes.end());
  auto run = ULP_TRY(planReference(changed));
  run.name = study::noiseFloorRunName(kind);
  run.role = report::RunRole::Floor;
  run.reversesSequences = kind == "batch_order";
  run.overrides.clear();
  for (const auto& [key, setting] : changes) {
    run.overrides[key] = setting.value;
  }
  return run;
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

Result<std::vector<PlannedRun>> planRuns(const study::Study& study,
                                         const std::vector<std::string>& chosen,
                                         std::string_view device) {
  ULP_TRY(checkNames(study, chosen));
  std::vector<PlannedRun> runs;
  auto reference = ULP_TRY(planReference(study));
  runs.push_back(std::move(reference));
  for (const study::Variant& variant : study.variants) {
    auto run = ULP_TRY(planRun(study, variant.name, variant.overrides));
    run.isChosen = chosen.empty() || std::ranges::count(chosen, variant.name) > 0;
    runs.push_back(std::move(run));
  }
  for (const std::string& kind : study::noiseFloorKinds(study, isCuda(device))) {
    auto run = ULP_TRY(planFloorRun(study, kind));
    runs.push_back(std::move(run));
  }
  FileDigests files(study);
  for (PlannedRun& run : runs) {
    run.fileDigests = ULP_TRY(files.of(run.settings));
  }
  return runs;
}

void choosePart(std::vector<PlannedRun>& runs, const std::vector<std::string>& names) {
  for (PlannedRun& run : runs) {
    run.isChosen = run.name == study::kReferenceName || std::ranges::count(names, run.name) > 0;
  }
}

std::string effectiveJson(const std::vector<PlannedRun>& runs) {
  json::Object effective;
  for (const PlannedRun& run : runs) {
    json::Object settings;
    for (const auto& [key, setting] : run.settings) {
      json::Object entry{{"value", setting.value}, {"origin", study::toString(setting.origin)}};
      if (setting.follows) {
        entry["follows"] = true;
      }
      if (const auto digest = run.fileDigests.find(key); digest != run.fileDigests.end()) {
        entry["sha256"] = digest->second;
      }
      settings[key] = std::move(entry);
    }
    effective[run.name] = std::move(settings);
  }
  return json::dump(effective);
}

namespace {

/// Whether a run is as it was before there was the key: nobody set it, or to what it is anyway.
bool changesNothing(std::string_view key, const study::Setting& setting) {
  const study::Key* const known = study::findKey(key);
  return setting.follows || setting.origin == study::Origin::Default ||
         setting.origin == study::Origin::ReferenceFp32 ||
         (known != nullptr && setting.value == known->defaultText);
}

}  // namespace

std::string firstDifference(const PlannedRun& run, const report::EffectiveConfig& recorded) {
  const auto keys =
      std::ranges::find(recorded, run.name, &report::EffectiveConfig::value_type::first);
  if (keys == recorded.end()) {
    return "its settings are not recorded";
  }
  static const std::string kNotRecorded = "not recorded";
  const auto before = [&](std::string_view key) -> const std::string* {
    if (const auto found = keys->second.find(key); found != keys->second.end()) {
      return &found->second.value;
    }
    const auto now = run.settings.find(key);
    return changesNothing(key, now->second) ? nullptr : &kNotRecorded;
  };
  return study::changedSetting(run.settings, before);
}

Result<> chooseFloorThreads(std::vector<PlannedRun>& runs, int inForce, const std::string& device) {
  const auto run = std::ranges::find(runs, study::noiseFloorRunName("threads"), &PlannedRun::name);
  if (run == runs.end()) {
    return {};
  }
  if (!isOnCpu(device)) {
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

void chooseExactAttention(std::vector<PlannedRun>& runs, const std::string& device) {
  if (!isCuda(device)) {
    return;
  }
  for (PlannedRun& run : runs) {
    const bool isReference =
        run.name == study::kReferenceName || run.role == report::RunRole::Floor;
    if (isReference && study::takesExactAttention(run.settings)) {
      run.precision.attention = engine::AttentionImplementation::SdpaMath;
      run.settings[std::string(kAttentionKey)] = ofRun("sdpa_math");
    }
  }
}

namespace {

/// Why a run cannot have a key of its settings.
struct KeyProblem {
  std::string_view key;
  std::string why;
};

std::optional<KeyProblem> batchProblem(const study::BatchSettings& batch,
                                       const PlannedRun& run,
                                       const std::vector<engine::TokenBatch>& microBatches,
                                       const std::string& device) {
  const engine::PythonPlan& python = run.precision.python;
  for (const engine::TokenBatch& tokens : microBatches) {
    if (python.parallel == "fsdp" && tokens.batch % python.ranks != 0) {
      return KeyProblem{"python.ranks",
                        fmt::format("{} ranks do not divide the {} sequences of a micro-batch, as "
                                    "python.parallel: fsdp does; set input.micro_batch_size",
                                    python.ranks,
                                    tokens.batch)};
    }
  }
  if (batch.isPlain()) {
    return std::nullopt;
  }
  for (const engine::TokenBatch& tokens : microBatches) {
    if (std::string why = study::placeProblem(batch, tokens.batch); !why.empty()) {
      return KeyProblem{"batch.among", std::move(why)};
    }
  }
  // With a prompt the pieces of several positions begin a sequence, unless it is cut itself.
  const bool isMasked = batch.padding > 0 || batch.chunkLength > 1;
  if (isMasked && isCuda(device) &&
      run.precision.attention == engine::AttentionImplementation::SdpaFlash) {
    return KeyProblem{batch.padding > 0 ? "batch.padding" : "batch.chunk_length",
                      "the attention kernel sdpa_flash takes no mask on CUDA, which padding and "
                      "pieces of several positions need; take sdpa, sdpa_efficient or sdpa_math"};
  }
  return std::nullopt;
}

}  // namespace

Result<> checkBatches(const study::Study& study,
                      const std::vector<PlannedRun>& runs,
                      const std::vector<engine::TokenBatch>& microBatches,
                      const std::string& device) {
  for (const PlannedRun& run : runs) {
    const study::BatchSettings batch = study::batchSettings(study, run.settings);
    const auto problem =
        run.isChosen ? batchProblem(batch, run, microBatches, device) : std::nullopt;
    if (problem) {
      const std::string place =
          study::placeOf(study, problem->key, run.settings.find(problem->key)->second);
      return fail(ErrorCode::InvalidArgument,
                  place.empty() ? fmt::format("{}: {}", run.name, problem->why)
                                : fmt::format("{}: {}: {}", place, run.name, problem->why));
    }
  }
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
