#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/tensors/archive/tensor_archive.h"

/// How llama.cpp stores decoders of the Llama type.
namespace ulp::tensors {

/// Gives the name that a GGUF file has for a module of a Llama-type decoder: "blk.3.attn_q" for
/// "model.layers.3.self_attn.q_proj". Nothing where llama.cpp (gguf-py/gguf/constants.py) has no
/// name for it.
[[nodiscard]] std::optional<std::string> llamaNameInGguf(std::string_view module);

/// llama.cpp stores the rows of Llama's query and key projections (`blk.N.attn_q`, `attn_k`) so
/// that the two halves of each head's rotary pairs alternate; Hugging Face stores one half after
/// the other. Gives the Hugging Face order of a weight [rows, columns] or a bias [rows] of any
/// dtype: with dim = rows / heads, row h·dim + k·dim/2 + j of the result is row h·dim + 2j + k.
/// `heads` is the number of heads of this projection (key-value heads for the keys). Errors:
/// InvalidArgument (rows are not a multiple of 2·heads), OutOfMemory.
[[nodiscard]] Result<Tensor> undoLlamaPermutation(const numerics::TensorView& permuted,
                                                  std::int64_t heads);

}  // namespace ulp::tensors
