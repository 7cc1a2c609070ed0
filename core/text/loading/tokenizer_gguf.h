#pragma once

#include <string_view>
#include <vector>

#include "core/tensors/formats/gguf/gguf.h"
#include "core/text/tokenizers/tokenizer.h"

namespace ulp::text {

/// What `tokenizer.ggml.pre` of a GGUF file stands for: the steps before byte-level BPE.
struct GgufPreTokenizer {
  std::vector<std::string_view> patterns;  ///< the text is cut by each in turn
  bool isNfc = false;                      ///< brought into this form first
  bool ignoreMerges = false;               ///< a word that is a token is that token
  bool addsBegin = false;                  ///< where the file does not say
};

/// Null for a name that is not known.
[[nodiscard]] const GgufPreTokenizer* findGgufPreTokenizer(std::string_view name);

/// All names, sorted.
[[nodiscard]] std::vector<std::string_view> ggufPreTokenizerNames();

/// The tokenizer that a GGUF file's metadata describes: byte-level BPE (`gpt2`), with the steps
/// that `tokenizer.ggml.pre` names, or sentencepiece (`llama`, `t5`). Errors: NotFound (the file
/// holds none), CorruptData, Unsupported with the key and its value.
[[nodiscard]] Result<TokenizerPtr> makeGgufTokenizer(const tensors::GgufFile& file);

}  // namespace ulp::text
