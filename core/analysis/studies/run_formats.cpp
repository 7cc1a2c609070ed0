#include "core/analysis/studies/run_formats.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

#include "core/study/reading/batch_settings.h"
#include "core/study/reading/exact_attention.h"

namespace ulp::analysis {
namespace {

std::string_view valueOf(const study::Settings& settings, std::string_view key) {
  const auto found = settings.find(key);
  return found == settings.end() ? std::string_view() : found->second.value;
}

numerics::OperationFormats operationsOf(const study::Settings& settings) {
  numerics::OperationFormats formats;
  for (const std::string_view key : numerics::operationKeys()) {
    const auto format =
        numerics::parseNumberFormat(valueOf(settings, fmt::format("precision.{}", key)));
    formats[*numerics::parseOperationKey(key)] = format.value_or(numerics::NumberFormat::Float32);
  }
  return formats;
}

Float8Way float8Of(const study::Settings& settings) {
  const std::string_view scaling = valueOf(settings, "matmul.float8");
  if (scaling.empty() || scaling == "none") {
    return Float8Way::None;
  }
  return valueOf(settings, "matmul.float8_kernel") == "scaled_mm" ? Float8Way::Kernel
                                                                  : Float8Way::Simulated;
}

bool usesFloat16(const study::Settings& settings, const numerics::OperationFormats& operations) {
  const auto rules = study::parseRules(valueOf(settings, "precision.rules"));
  return std::ranges::any_of(numerics::operationKeys(), [&](std::string_view key) {
    const numerics::Operation operation = *numerics::parseOperationKey(key);
    const auto isSet = [operation](const study::PrecisionRule& rule) {
      return rule.formats[operation] == numerics::NumberFormat::Float16;
    };
    return operation != numerics::Operation::Optimizer &&
           (operations[operation] == numerics::NumberFormat::Float16 ||
            (rules && std::ranges::any_of(*rules, isSet)));
  });
}

LossScale lossScaleOf(const study::Settings& settings,
                      const numerics::OperationFormats& operations) {
  const std::string_view scale = valueOf(settings, "gradient.scale");
  if (scale != "auto") {
    return scale.empty() || scale == "1" ? LossScale::One : LossScale::Fixed;
  }
  return usesFloat16(settings, operations) ? LossScale::Sought : LossScale::One;
}

/// Nothing: there are none, or one is no expression, of which the run tells.
std::optional<study::FormatRules> rulesOf(const study::Settings& settings) {
  const std::string_view rules = valueOf(settings, "precision.rules");
  if (rules.empty() || rules == "[]") {
    return std::nullopt;
  }
  auto compiled = study::FormatRules::of(settings);
  return compiled ? std::optional(std::move(*compiled)) : std::nullopt;
}

std::optional<RegularExpression> float8ModulesOf(const study::Settings& settings) {
  const std::string_view pattern = valueOf(settings, "matmul.float8_modules");
  auto compiled = RegularExpression::compile(pattern);
  return pattern.empty() || !compiled ? std::nullopt : std::optional(std::move(*compiled));
}

AttentionKind attentionOf(const study::Settings& settings, std::string_view run) {
  if (run == study::kReferenceName && study::takesExactAttention(settings)) {
    return AttentionKind::Plain;
  }
  const std::string_view name = valueOf(settings, "attention.implementation");
  if (name == "eager") {
    return AttentionKind::Eager;
  }
  if (name == "sdpa_math" || valueOf(settings, "attention.order").starts_with("[\"math\"")) {
    return AttentionKind::Plain;
  }
  if (name == "sdpa_efficient") {
    return AttentionKind::Efficient;
  }
  return name == "sdpa_flash" || name == "sdpa_cudnn" ? AttentionKind::Fused
                                                      : AttentionKind::Chosen;
}

double positionsOf(const study::Study& study, const study::Settings& settings) {
  const std::int64_t sequences = study.microBatchSize;
  const std::int64_t length = study.positions();
  if (sequences <= 0 || length <= 0) {
    return 1;
  }
  const std::int64_t computed = study::batchSettings(study, settings).positions(sequences, length);
  return static_cast<double>(computed) / static_cast<double>(sequences * length);
}

RunFormats formatsOf(const study::Study& study, std::string_view run) {
  const study::Settings settings = study::effectiveSettings(study, run).value_or(study::Settings{});
  const numerics::OperationFormats operations = operationsOf(settings);
  const study::BatchSettings batch = study::batchSettings(study, settings);
  return {.operations = operations,
          .rules = rulesOf(settings),
          .isStochastic = valueOf(settings, "precision.rounding") == "stochastic",
          .float8 = float8Of(settings),
          .scalesRows = valueOf(settings, "matmul.float8") == "row",
          .float8Modules = float8ModulesOf(settings),
          .lossScale = lossScaleOf(settings, operations),
          .attention = attentionOf(settings, run),
          .reducesPlain = valueOf(settings, "attention.reduced_precision_reduction") == "true",
          .hasMask = !study.step.documents.empty() || study.step.padding > 0 || batch.padding > 0,
          .isFastLlm = valueOf(settings, "semantics") == "fast_llm",
          .fusesNorms = valueOf(settings, "norm.implementation") == "fused",
          .fusesRotation = valueOf(settings, "rotary.implementation") == "fused",
          .batch = batch,
          .positions = positionsOf(study, settings),
          .run = std::string(run)};
}

bool isFormat(std::string_view key) {
  constexpr std::string_view kSection = "precision.";
  return key == "precision.rules" || key.starts_with("matmul.float8") ||
         (key.starts_with(kSection) && numerics::parseOperationKey(key.substr(kSection.size())));
}

/// The reference once more, for a kind of noise floor: as runner/worker/session/run_plan.cpp has
/// it.
RunFormats floorFormats(const study::Study& study, const std::string& kind) {
  study::Study changed = study;
  const auto change = [&changed](std::string_view key, std::string_view value) {
    changed.reference.emplace_back(
        key, study::Setting{.value = std::string(value), .origin = study::Origin::Run});
  };
  const auto erase = [&changed](const auto& isReplaced) {
    std::erase_if(changed.reference,
                  [&](const auto& setting) { return isReplaced(setting.first); });
  };
  if (kind == "float64") {
    erase(isFormat);
    change("precision.compute_dtype", "float64");
  } else if (kind == "attention") {
    const auto settings = study::effectiveSettings(study, study::kReferenceName);
    const bool isEager = settings && valueOf(*settings, "attention.implementation") == "eager";
    erase([](std::string_view key) {
      return key == "attention.implementation" || key == "attention.order";
    });
    change("attention.implementation", isEager ? "sdpa" : "eager");
    change("attention.order", "[]");
  }
  RunFormats formats = formatsOf(changed, study::kReferenceName);
  formats.run = study::noiseFloorRunName(kind);
  return formats;
}

}  // namespace

ModuleFormats RunFormats::at(std::string_view module) const {
  ModuleFormats formats{operations, operations};
  if (rules) {
    formats.forward = rules->at(module, study::RulePass::Forward).value_or(operations);
    formats.backward = rules->at(module, study::RulePass::Backward).value_or(operations);
  }
  return formats;
}

bool RunFormats::isFloat8At(std::string_view module) const {
  const auto hasKernels = [](numerics::NumberFormat format) {
    return !numerics::isSimulated(format) && format != numerics::NumberFormat::Float64;
  };
  const ModuleFormats formats = at(module);
  return float8 != Float8Way::None && hasKernels(formats.forward[numerics::Operation::Compute]) &&
         hasKernels(formats.backward[numerics::Operation::Compute]) &&
         (!float8Modules || float8Modules->isFoundIn(module).value_or(false));
}

std::vector<RunFormats> runFormats(const study::Study& study, bool isOnCuda) {
  std::vector<RunFormats> formats{formatsOf(study, study::kReferenceName)};
  for (const std::string& kind : study::noiseFloorKinds(study, isOnCuda)) {
    formats.push_back(floorFormats(study, kind));
  }
  for (const study::Variant& variant : study.variants) {
    formats.push_back(formatsOf(study, variant.name));
  }
  return formats;
}

}  // namespace ulp::analysis
