#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "core/base/result.h"
#include "core/engine/network/config_reader.h"
#include "core/engine/network/network.h"
#include "core/json/value.h"

namespace ulp::engine {

/// `rope_parameters` of a config after transformers' standardisation (modeling_rope_utils.py).
/// Whole numbers stay whole: `dynamic` computes with them in tensor arithmetic, where it matters.
struct RopeParameters {
  std::string type = "default";
  at::Scalar theta = 10000.0;
  std::optional<at::Scalar> factor;
  std::optional<double> attentionFactor;
  double betaFast = 32;  ///< yarn
  double betaSlow = 1;
  std::optional<double> mscale;
  std::optional<double> mscaleAllDim;
  bool truncate = true;
  double lowFrequencyFactor = 1;  ///< llama3
  double highFrequencyFactor = 4;
  std::vector<double> shortFactor;  ///< longrope
  std::vector<double> longFactor;
  std::int64_t originalMaxPositions = 0;  ///< yarn, longrope, llama3
  std::int64_t maxPositions = 0;          ///< of the model
};

/// Rewrites a config, or an override of one, to the one spelling `rope_parameters: {rope_type,
/// rope_theta, …}`, from `rope_scaling`, `rope_theta` and `type`.
void standardizeRope(json::Value& config);

/// Reads the standardised `rope_parameters` of a config. Errors go to the reader: unknown type,
/// missing parameter, factors of a wrong number.
[[nodiscard]] RopeParameters readRope(ConfigReader& config,
                                      std::int64_t headDim,
                                      std::int64_t maxPositions);

struct InverseFrequencies {
  at::Tensor values;  ///< float32 [headDim / 2]
  double attentionScaling = 1;
};

/// Computes what the model's buffer holds before the first forward pass.
[[nodiscard]] InverseFrequencies inverseFrequencies(const RopeParameters& rope,
                                                    std::int64_t headDim);

struct RotaryTables {
  at::Tensor cos;  ///< [1 or batch, length, headDim] in the format of rotary tables
  at::Tensor sin;
  at::Tensor inverseFrequencies;  ///< [headDim / 2], what they were made of

  [[nodiscard]] RotaryTables on(const at::Device& device) const {
    return {cos.to(device), sin.to(device), inverseFrequencies.to(device)};
  }
};

/// The tables of `module` on positions 0 … length-1. LlamaRotaryEmbedding: the frequencies are a
/// float32 buffer in every run (rounded to the compute format with Cast::Module); angles are
/// float32, or float64 when the tables are. Fused, as Fast-LLM: frequencies and angles in float64
/// (other types than `default` from the float32 buffer).
[[nodiscard]] RotaryTables rotaryTables(const RopeParameters& rope,
                                        std::int64_t headDim,
                                        std::int64_t length,
                                        const Numerics& numerics,
                                        const std::string& module);

/// The tables at `positions` ([length], or [batch, length]) of tables that reach that far;
/// undefined: as they are.
[[nodiscard]] RotaryTables atPositions(const RotaryTables& tables, const at::Tensor& positions);

struct RotatedPair {
  at::Tensor query;  ///< [batch, heads, length, headDim] in the format of the rotation
  at::Tensor key;
};

/// Queries and keys of the attention at `place`. apply_rotary_pos_emb: x * cos + rotate_half(x) *
/// sin, every operation rounded. Fused, as Fast-LLM: (re cos - im sin, im cos + re sin) of the
/// halves.
[[nodiscard]] RotatedPair rotate(const ForwardPass& pass,
                                 const LayerPlace& place,
                                 const at::Tensor& query,
                                 const at::Tensor& key,
                                 const RotaryTables& tables);

}  // namespace ulp::engine
