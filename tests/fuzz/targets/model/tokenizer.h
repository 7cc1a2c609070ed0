#pragma once

#include <cstddef>
#include <cstdint>

#include "core/text/loading/tokenizer_json.h"
#include "tests/fuzz/fuzz_tokenizer.h"

namespace ulp::test {

/// tokenizer.json
inline void fuzzTokenizer(const std::uint8_t* data, std::size_t size) {
  checkTokenizer(text::parseTokenizerJson(fuzzText(data, size), "input"));
}

}  // namespace ulp::test
