#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ulp::report {

/// What a parameter is to the model, as summaries of parameter gradients tell them apart.
enum class ParameterCategory : std::uint8_t {
  Embeddings,  ///< with tied embeddings also what the LM head multiplies with: one tensor, this one
  LmHead,
  Linear,
  Norm,
  Bias,
  Other  ///< a vector that is none of these, such as an attention sink
};

/// Told from the parameter's name, as Hugging Face ("model.layers.0.mlp.up_proj.weight") or
/// Fast-LLM ("decoder.0.mlp.layer_1.weight") names it, and the number of its dimensions: what
/// normalises is a norm, its bias included; of the rest what ends in "bias" is a bias, and matrices
/// outside embeddings and head are linear (Fast-LLM's evaluate_precision, pull request 525).
[[nodiscard]] ParameterCategory parameterCategory(std::string_view name, std::size_t dimensions);

}  // namespace ulp::report
