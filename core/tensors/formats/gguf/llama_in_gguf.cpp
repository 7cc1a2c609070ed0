#include "core/tensors/formats/gguf/llama_in_gguf.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "core/tensors/elements/strided.h"

namespace ulp::tensors {

Result<Tensor> undoLlamaPermutation(const numerics::TensorView& permuted, std::int64_t heads) {
  const std::int64_t rows = permuted.shape.empty() ? 0 : permuted.shape.front();
  if (heads <= 0 || rows <= 0 || rows % heads != 0 || rows / heads % 2 != 0) {
    return fail(ErrorCode::InvalidArgument,
                std::to_string(rows) + " rows cannot be divided into two halves of " +
                    std::to_string(heads) + " heads");
  }
  const std::int64_t half = rows / heads / 2;
  const std::int64_t row = static_cast<std::int64_t>(permuted.count()) / rows;
  const Strides order{.shape = {heads, 2, half, row}, .steps = {2 * half * row, row, 2 * row, 1}};
  const auto memory = ULP_TRY(gather(permuted.bytes(), itemSize(permuted.dtype), order));
  return Tensor{{memory.get(), permuted.dtype, permuted.shape}, memory};
}

std::optional<std::string> llamaNameInGguf(std::string_view module) {
  using Name = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Name, 3> kTop{{
      {"model.embed_tokens", "token_embd"},
      {"model.norm", "output_norm"},
      {"lm_head", "output"},
  }};
  constexpr std::array<Name, 9> kOfLayer{{
      {"self_attn.q_proj", "attn_q"},
      {"self_attn.k_proj", "attn_k"},
      {"self_attn.v_proj", "attn_v"},
      {"self_attn.o_proj", "attn_output"},
      {"mlp.gate_proj", "ffn_gate"},
      {"mlp.up_proj", "ffn_up"},
      {"mlp.down_proj", "ffn_down"},
      {"input_layernorm", "attn_norm"},
      {"post_attention_layernorm", "ffn_norm"},
  }};
  if (const auto* top = std::ranges::find(kTop, module, &Name::first); top != kTop.end()) {
    return std::string(top->second);
  }
  constexpr std::string_view kLayers = "model.layers.";
  if (!module.starts_with(kLayers)) {
    return std::nullopt;
  }
  module.remove_prefix(kLayers.size());
  const std::size_t dot = module.find('.');
  for (const auto& [name, inGguf] : kOfLayer) {
    if (dot != std::string_view::npos && module.substr(dot + 1) == name) {
      return fmt::format("blk.{}.{}", module.substr(0, dot), inGguf);
    }
  }
  return std::nullopt;
}

}  // namespace ulp::tensors
