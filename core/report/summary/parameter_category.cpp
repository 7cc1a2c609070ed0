#include "core/report/summary/parameter_category.h"

#include <algorithm>
#include <vector>

#include "core/base/text/split.h"

namespace ulp::report {
namespace {

/// "input_layernorm", "q_norm", "norm_1"; GPT-2's "ln_1" and "ln_f".
bool isNormWord(std::string_view word) {
  return word.find("norm") != std::string_view::npos || word.starts_with("ln_");
}

/// "lm_head"; GPT-NeoX's "embed_out"; Fast-LLM's "head", which also holds the final norm.
bool isHeadWord(std::string_view word) {
  return word == "lm_head" || word == "head" || word == "embed_out";
}

/// "embed_tokens", "word_embeddings"; GPT-2's "wte" and "wpe".
bool isEmbeddingWord(std::string_view word) {
  return word.find("embed") != std::string_view::npos || word == "wte" || word == "wpe";
}

}  // namespace

ParameterCategory parameterCategory(std::string_view name, std::size_t dimensions) {
  const std::vector<std::string_view> words = split(name, '.');
  const bool isMatrix = dimensions > 1;
  if (!isMatrix && std::ranges::any_of(words, isNormWord)) {
    return ParameterCategory::Norm;
  }
  if (words.back().ends_with("bias")) {
    return ParameterCategory::Bias;
  }
  if (!isMatrix) {
    return ParameterCategory::Other;
  }
  if (std::ranges::any_of(words, isHeadWord)) {
    return ParameterCategory::LmHead;
  }
  return std::ranges::any_of(words, isEmbeddingWord) ? ParameterCategory::Embeddings
                                                     : ParameterCategory::Linear;
}

}  // namespace ulp::report
