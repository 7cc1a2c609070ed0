#include "core/analysis/studies/run_formats.h"

#include <string>
#include <string_view>

#include "core/base/dtype.h"
#include "core/numerics/rounding/number_format.h"
#include "core/study/reading/batch_settings.h"
#include "core/study/reading/exact_attention.h"

namespace ulp::analysis {
namespace {

std::uint64_t bytesOf(const study::Settings& settings, std::string_view key) {
  const auto found = settings.find(key);
  const auto format =
      found == settings.end() ? std::nullopt : numerics::parseNumberFormat(found->second.value);
  // Numbers of simulated formats lie in wider types.
  return itemSize(carrierOf(format.value_or(numerics::NumberFormat::Float32)));
}

bool keepsScores(const study::Settings& settings, std::string_view run) {
  if (run == study::kReferenceName && study::takesExactAttention(settings)) {
    return true;
  }
  const auto attention = settings.find("attention.implementation");
  return attention != settings.end() &&
         (attention->second.value == "eager" || attention->second.value == "sdpa_math");
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
  return {.run = std::string(run),
          .compute = bytesOf(settings, "precision.compute_dtype"),
          .residual = bytesOf(settings, "precision.residual_dtype"),
          .head = bytesOf(settings, "precision.lm_head_dtype"),
          .optimizer = bytesOf(settings, "precision.optimizer_dtype"),
          .keepsScores = keepsScores(settings, run),
          .positions = positionsOf(study, settings)};
}

}  // namespace

std::vector<RunFormats> runFormats(const study::Study& study, bool isOnCuda) {
  std::vector<RunFormats> formats{formatsOf(study, study::kReferenceName)};
  for (const std::string& kind : study::noiseFloorKinds(study, isOnCuda)) {
    RunFormats floor = formats.front();
    floor.run = study::noiseFloorRunName(kind);
    if (kind == "float64") {
      floor.compute = floor.residual = floor.head = floor.optimizer = itemSize(DType::Float64);
    }
    formats.push_back(floor);
  }
  for (const study::Variant& variant : study.variants) {
    formats.push_back(formatsOf(study, variant.name));
  }
  return formats;
}

}  // namespace ulp::analysis
