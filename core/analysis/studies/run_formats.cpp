#include "core/analysis/studies/run_formats.h"

#include <fmt/format.h>
#include <string>
#include <string_view>

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

LossScale lossScaleOf(const study::Settings& settings,
                      const numerics::OperationFormats& operations) {
  const std::string_view scale = valueOf(settings, "gradient.scale");
  if (scale != "auto") {
    return scale.empty() || scale == "1" ? LossScale::One : LossScale::Fixed;
  }
  const bool hasFloat16 =
      operations[numerics::Operation::Compute] == numerics::NumberFormat::Float16;
  return hasFloat16 ? LossScale::Sought : LossScale::One;
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
  return {.operations = operations,
          .isStochastic = valueOf(settings, "precision.rounding") == "stochastic",
          .float8 = float8Of(settings),
          .scalesRows = valueOf(settings, "matmul.float8") == "row",
          .lossScale = lossScaleOf(settings, operations),
          .attention = attentionOf(settings, run),
          .reducesPlain = valueOf(settings, "attention.reduced_precision_reduction") == "true",
          .hasMask = !study.step.documents.empty() || study.step.padding > 0 ||
                     study::batchSettings(study, settings).padding > 0,
          .positions = positionsOf(study, settings),
          .run = std::string(run)};
}

}  // namespace

std::vector<RunFormats> runFormats(const study::Study& study, bool isOnCuda) {
  std::vector<RunFormats> formats{formatsOf(study, study::kReferenceName)};
  for (const std::string& kind : study::noiseFloorKinds(study, isOnCuda)) {
    RunFormats floor = formats.front();
    floor.run = study::noiseFloorRunName(kind);
    if (kind == "float64") {
      numerics::FormatOverrides wide;
      wide[numerics::Operation::Compute] = numerics::NumberFormat::Float64;
      floor.operations = numerics::resolveFormats(wide, {});
      floor.float8 = Float8Way::None;
    }
    formats.push_back(floor);
  }
  for (const study::Variant& variant : study.variants) {
    formats.push_back(formatsOf(study, variant.name));
  }
  return formats;
}

}  // namespace ulp::analysis
