#pragma once

#include <string>

#include "core/base/result.h"
#include "core/json/value.h"
#include "core/tensors/formats/gguf/gguf.h"

/// What llama.cpp's conversion keeps of a decoder-only model with gated MLPs, read back. Shared by
/// the families whose files differ in the prefix of their keys alone.
namespace ulp::engine {

/// Sizes, epsilon, rotary parameters, biases and tying as fields of a Hugging Face config.json;
/// `prefix` is the architecture ("llama"). Errors: CorruptData (a size is missing, of another
/// type), Unsupported (experts, biases on some attention projections only).
[[nodiscard]] Result<json::Value> decoderConfigFromGguf(const tensors::GgufFile& file,
                                                        const std::string& prefix);

/// `model.layers.3.mlp.up_proj.weight` -> `blk.3.ffn_up.weight`; an unknown name stays as it is.
[[nodiscard]] std::string decoderNameInGguf(const std::string& parameter);

}  // namespace ulp::engine
