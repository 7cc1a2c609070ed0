#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/text/loading/tokenizer_json.h"
#include "core/text/tokenizers/tokenizer.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// A tokenizer.json that is read encodes a text; every token lies within the text, and the
/// vocabulary knows it.
inline void fuzzTokenizer(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kText = "ab 12\tÉé\u4e00 \U0001F600<s>  don't";
  const auto tokenizer = text::parseTokenizerJson(fuzzText(data, size), "input");
  const auto tokens = tokenizer ? (*tokenizer)->encode(kText) : tl::unexpected(tokenizer.error());
  if (!tokens) {
    return;
  }
  for (const text::Token& token : *tokens) {
    require(token.begin <= token.end && token.end <= kText.size());
    require(token.id >= 0 && token.id < (*tokenizer)->size());
    static_cast<void>((*tokenizer)->bytes(token.id));
  }
}

}  // namespace ulp::test
