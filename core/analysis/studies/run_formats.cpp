#include "core/analysis/studies/run_formats.h"

#include <algorithm>
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

bool isTrue(const study::Settings& settings, std::string_view key) {
  const auto found = settings.find(key);
  return found != settings.end() && found->second.value == "true";
}

AttentionKind attentionOf(const study::Settings& settings, std::string_view run) {
  if (run == study::kReferenceName && study::takesExactAttention(settings)) {
    return AttentionKind::Plain;
  }
  const auto attention = settings.find("attention.implementation");
  const std::string name = attention == settings.end() ? "" : attention->second.value;
  if (name == "eager") {
    return AttentionKind::Eager;
  }
  const auto order = settings.find("attention.order");
  const bool beginsWithMath =
      order != settings.end() && order->second.value.starts_with("[\"math\"");
  if (name == "sdpa_math" || beginsWithMath) {
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
  const auto bytes = [&settings](std::string_view key) { return bytesOf(settings, key); };
  const auto compute = settings.find("precision.compute_dtype");
  return {.compute = bytes("precision.compute_dtype"),
          .residual = bytes("precision.residual_dtype"),
          .head = bytes("precision.lm_head_dtype"),
          .optimizer = bytes("precision.optimizer_dtype"),
          // Kept in what reads them where that is wider.
          .weights = std::max(bytes("precision.weights_dtype"), bytes("precision.compute_dtype")),
          .logits = bytes("precision.logits_dtype"),
          .loss = bytes("precision.loss_dtype"),
          .gradient = bytes("precision.gradient_dtype"),
          .norm = bytes("precision.norm_statistics_dtype"),
          .normOutput = bytes("precision.norm_output_dtype"),
          .rotary = bytes("precision.rotary_dtype"),
          .scores = bytes("precision.attention_scores_dtype"),
          .softmax = bytes("precision.softmax_dtype"),
          .activation = bytes("precision.activation_dtype"),
          .usesFloat16 = compute != settings.end() && compute->second.value == "float16",
          .attention = attentionOf(settings, run),
          .reducesPlain = isTrue(settings, "attention.reduced_precision_reduction"),
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
      const std::uint64_t wide = itemSize(DType::Float64);
      for (std::uint64_t* bytes : {&floor.compute,
                                   &floor.residual,
                                   &floor.head,
                                   &floor.optimizer,
                                   &floor.weights,
                                   &floor.logits,
                                   &floor.loss,
                                   &floor.gradient,
                                   &floor.norm,
                                   &floor.normOutput,
                                   &floor.rotary,
                                   &floor.scores,
                                   &floor.softmax,
                                   &floor.activation}) {
        *bytes = wide;
      }
    }
    formats.push_back(floor);
  }
  for (const study::Variant& variant : study.variants) {
    formats.push_back(formatsOf(study, variant.name));
  }
  return formats;
}

}  // namespace ulp::analysis
