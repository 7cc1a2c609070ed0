#pragma once

#include <cstddef>
#include <cstdint>

#include "core/text/loading/tokenizer_gguf.h"
#include "tests/fuzz/fuzz_bytes.h"
#include "tests/fuzz/fuzz_tokenizer.h"

namespace ulp::test {

/// The tokenizer in the metadata of a GGUF file.
inline void fuzzGgufTokenizer(const std::uint8_t* data, std::size_t size) {
  if (const auto file = tensors::GgufFile::parse(fuzzSource(data, size))) {
    checkTokenizer(text::makeGgufTokenizer(**file));
  }
}

}  // namespace ulp::test
