#pragma once

#include <cstddef>
#include <cstdint>

#include "core/text/tokenizers/sentencepiece_tokenizer.h"
#include "tests/fuzz/fuzz_tokenizer.h"

namespace ulp::test {

/// tokenizer.model
inline void fuzzSentencepiece(const std::uint8_t* data, std::size_t size) {
  checkTokenizer(text::makeSentencePieceTokenizer(
      fuzzText(data, size), {.description = "tokenizer.model", .addBegin = {}}));
}

}  // namespace ulp::test
