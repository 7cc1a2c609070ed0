#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ATen/core/Tensor.h>

#include "core/engine/network/network.h"

/// Building blocks of model families, operation for operation as transformers or Fast-LLM composes
/// them. Each announces its modules to the probe, and each works in the formats that hold at them:
/// a family that is made of them follows every lever and every rule.
namespace ulp::engine {

/// Token ids [batch, length] to the residual stream; `<module>.weight`. The row of `paddingToken`
/// gets no gradient in transformers' semantics; -1: none.
[[nodiscard]] at::Tensor embed(const ForwardPass& pass,
                               const Row& row,
                               const at::Tensor& ids,
                               std::int64_t paddingToken);

/// torch.nn.Linear: weight `<module>.weight`, bias `<module>.bias` where it exists. `isTransposed`:
/// the weight is used as [in, out], as Fast-LLM stores that of an MLP's second layer.
[[nodiscard]] at::Tensor linear(const ForwardPass& pass,
                                const Row& row,
                                const at::Tensor& x,
                                bool isTransposed = false);

/// LlamaRMSNorm: x / rms(x) rounded, then times the weight. Fused: torch.rms_norm of x rounded to
/// the compute format, rounded once.
[[nodiscard]] at::Tensor rmsNorm(const ForwardPass& pass,
                                 const Row& row,
                                 const at::Tensor& x,
                                 double epsilon);

struct QueryKeyValue {
  at::Tensor query;  ///< [batch, heads, length, headDim]
  at::Tensor key;    ///< [batch, keyValueHeads, length, headDim]
  at::Tensor value;
};
/// The linear modules q_proj, k_proj and v_proj of the attention at `place`. In Fast-LLM's
/// semantics one product gives keys and values, where the formats of both are the same.
[[nodiscard]] QueryKeyValue projectAttention(const ForwardPass& pass,
                                             const LayerPlace& place,
                                             const at::Tensor& x,
                                             std::int64_t headDim);

enum class Activation : std::uint8_t { Silu, Gelu, GeluTanh, Relu };
/// Accepts the names of transformers' ACT2FN.
[[nodiscard]] std::optional<Activation> parseActivation(std::string_view name);
/// down_proj(act_fn(gate_proj(x)) * up_proj(x)), the MLP at `place`. In Fast-LLM's semantics one
/// product gives gate and up, where the formats of both are the same, and the weight of down_proj
/// is stored transposed.
[[nodiscard]] at::Tensor gatedMlp(const ForwardPass& pass,
                                  const LayerPlace& place,
                                  const at::Tensor& x,
                                  Activation activation);

/// x + branch in the format of the residual stream of the module.
[[nodiscard]] at::Tensor addToResidual(const ForwardPass& pass,
                                       const std::string& module,
                                       const at::Tensor& x,
                                       const at::Tensor& branch);

/// The LM head in its own format, from weights that were rounded before; gives the logits.
[[nodiscard]] at::Tensor languageModelHead(const ForwardPass& pass,
                                           const Row& row,
                                           const at::Tensor& x,
                                           const std::string& weight);

}  // namespace ulp::engine
