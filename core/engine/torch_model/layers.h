#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <ATen/ATen.h>

#include "core/base/result.h"
#include "core/engine/torch_model/forward_pass.h"
#include "core/engine/torch_model/rotary.h"

/// Building blocks of model families, operation for operation as transformers composes them. Each
/// announces its module to the probe.
namespace ulp::engine {

/// torch.nn.Linear: weight `<module>.weight`, bias `<module>.bias` where it exists.
[[nodiscard]] at::Tensor linear(const ForwardPass& pass, const Row& row, const at::Tensor& x);

/// LlamaRMSNorm: x / rms(x) in normMath(), rounded to the compute dtype, then times the weight.
[[nodiscard]] at::Tensor rmsNorm(const ForwardPass& pass,
                                 const Row& row,
                                 const at::Tensor& x,
                                 double epsilon);

enum class Activation : std::uint8_t { Silu, Gelu, GeluTanh, Relu };
/// Accepts the names of transformers' ACT2FN.
[[nodiscard]] std::optional<Activation> parseActivation(std::string_view name);
[[nodiscard]] at::Tensor activate(const ForwardPass& pass,
                                  const Row& row,
                                  const at::Tensor& x,
                                  Activation activation);

struct AttentionInputs {
  at::Tensor query;  ///< [batch, heads, length, headDim]
  at::Tensor key;    ///< [batch, keyValueHeads, length, headDim]
  at::Tensor value;
  at::Tensor mask;  ///< of causalMask()
  double scaling = 1;
};

/// The additive mask of eager attention, [batch, 1, length, length] in the residual dtype;
/// undefined for sdpa, which is told that it is causal.
[[nodiscard]] at::Tensor causalMask(const Numerics& numerics,
                                    std::int64_t batch,
                                    std::int64_t length);

/// eager_attention_forward or sdpa_attention_forward; gives [batch, length, heads * headDim].
[[nodiscard]] at::Tensor attend(const Numerics& numerics, const AttentionInputs& inputs);

/// The LM head in its own dtype, from weights that were rounded to the compute dtype before.
[[nodiscard]] at::Tensor languageModelHead(const ForwardPass& pass,
                                           const Row& row,
                                           const at::Tensor& x,
                                           const at::Tensor& weight);

/// x cast to the dtype of the residual stream.
[[nodiscard]] at::Tensor toResidual(const Numerics& numerics, const at::Tensor& x);

}  // namespace ulp::engine
