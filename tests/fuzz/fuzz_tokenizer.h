#pragma once

#include <string_view>

#include "core/text/tokenizers/tokenizer.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// A tokenizer that is read encodes a text; every token lies within the text, and the vocabulary
/// knows it.
inline void checkTokenizer(const Result<text::TokenizerPtr>& tokenizer) {
  constexpr std::string_view kText = "ab 12\tÉé\u4e00 \U0001F600<s>  don't";
  const auto tokens = tokenizer ? (*tokenizer)->encode(kText) : tl::unexpected(tokenizer.error());
  if (!tokens) {
    require(!tokens.error().message().empty());
    return;
  }
  for (const text::Token& token : *tokens) {
    require(token.begin <= token.end && token.end <= kText.size());
    require(token.id >= 0 && token.id < (*tokenizer)->size());
    static_cast<void>((*tokenizer)->bytes(token.id));
  }
}

}  // namespace ulp::test
