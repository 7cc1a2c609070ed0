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

/// Makes the mask of `length` queries: for eager attention of transformers additive, in the format
/// of the residual stream; in Fast-LLM semantics true where a key is seen; [1, 1, length, keys] or
/// expanded to the batch. Undefined for transformers' sdpa where being told that it is causal is
/// enough; where documents, padding or positions that went before make it more than that, true
/// where a key is seen.
[[nodiscard]] at::Tensor causalMask(const Numerics& numerics,
                                    std::int64_t batch,
                                    std::int64_t length,
                                    const PackedLayout& layout = {});

/// The attention at `place` ("model.layers.0.self_attn"): eager_attention_forward or
/// sdpa_attention_forward of transformers, or what Fast-LLM calls backup and sdpa_dense. Gives
/// [batch, length, heads * headDim]. Keys and values are also those of the pass's cache. Without
/// one, eager attention shows its scores, scaled and not masked yet, and the weights that their
/// softmax gives, [batch, heads, length, length].
[[nodiscard]] at::Tensor attend(const ForwardPass& pass,
                                const LayerPlace& place,
                                const AttentionInputs& inputs);

}  // namespace ulp::engine
