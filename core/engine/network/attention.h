#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "core/engine/network/network.h"

/// The inside of attention, between the projections: rotated queries, keys and values to what the
/// output projection reads.
namespace ulp::engine {

struct AttentionInputs {
  at::Tensor query;  ///< [batch, heads, length, headDim]
  at::Tensor key;    ///< [batch, keyValueHeads, length, headDim]
  at::Tensor value;
  at::Tensor mask;  ///< of causalMask()
  double scaling = 1;
};

/// Makes the mask: for eager attention of transformers additive, in the format of the residual
/// stream; in Fast-LLM semantics true where a key is seen; [1, 1, length, length] or expanded to
/// the batch. Undefined for transformers' sdpa, which is told that it is causal, unless `documents`
/// ([length], see PackedLayout) keep attention within each: then true where a key is seen.
[[nodiscard]] at::Tensor causalMask(const Numerics& numerics,
                                    std::int64_t batch,
                                    std::int64_t length,
                                    const at::Tensor& documents = {});

/// The attention at `place` ("model.layers.0.self_attn"): eager_attention_forward or
/// sdpa_attention_forward of transformers, or what Fast-LLM calls backup and sdpa_dense. Gives
/// [batch, length, heads * headDim]. Eager attention shows its scores, scaled and not masked yet,
/// and the weights that their softmax gives, [batch, heads, length, length].
[[nodiscard]] at::Tensor attend(const ForwardPass& pass,
                                const LayerPlace& place,
                                const AttentionInputs& inputs);

}  // namespace ulp::engine
