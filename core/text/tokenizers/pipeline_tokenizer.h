#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/text/models/token_model.h"
#include "core/text/steps/added_tokens.h"
#include "core/text/steps/normalizer.h"
#include "core/text/steps/pre_tokenizer.h"
#include "core/text/steps/speller.h"
#include "core/text/tokenizers/tokenizer.h"

namespace ulp::text {

/// A tokenizer of the parts that Hugging Face's `tokenizers` are made of.
struct Pipeline {
  Normalizer normalizer;
  PreTokenizer preTokenizer;
  TokenModelPtr model;
  AddedTokens added;
  std::vector<std::int64_t> prefix;  ///< of every sequence
  std::vector<std::int64_t> suffix;
  Speller speller;
  std::optional<std::int64_t> endOfText;
  std::string description;  ///< file and kind of model
};

/// Errors: CorruptData (a number of `prefix` or `suffix` is no token).
[[nodiscard]] Result<TokenizerPtr> makePipelineTokenizer(Pipeline pipeline);

/// Errors: InvalidArgument (not UTF-8, too long).
[[nodiscard]] Result<> checkEncodable(std::string_view text);

}  // namespace ulp::text
