#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ulp::tensors {

/// Gives the name that a GGUF file has for a module of a Llama-type decoder: "blk.3.attn_q" for
/// "model.layers.3.self_attn.q_proj". Nothing where llama.cpp (gguf-py/gguf/constants.py) has no
/// name for it.
[[nodiscard]] std::optional<std::string> llamaNameInGguf(std::string_view module);

}  // namespace ulp::tensors
