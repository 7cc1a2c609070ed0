#pragma once

#include "core/tensors/formats/gguf/gguf.h"
#include "core/text/tokenizers/tokenizer.h"

namespace ulp::text {

/// The tokenizer that a GGUF file's metadata describes: byte-level BPE (`gpt2`), with the steps
/// that `tokenizer.ggml.pre` names, or sentencepiece (`llama`, `t5`). Errors: NotFound (the file
/// holds none), CorruptData, Unsupported with the key and its value.
[[nodiscard]] Result<TokenizerPtr> makeGgufTokenizer(const tensors::GgufFile& file);

}  // namespace ulp::text
