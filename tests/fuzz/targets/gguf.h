#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensors/formats/gguf/gguf.h"
#include "tests/fuzz/fuzz_bytes.h"

namespace ulp::test {

inline void fuzzGguf(const std::uint8_t* data, std::size_t size) {
  if (const auto file = tensors::GgufFile::parse(fuzzSource(data, size))) {
    touchAll(**file);
    for (const tensors::GgufEntry& entry : (*file)->metadata()) {
      static_cast<void>((*file)->integers(entry.key));
      static_cast<void>((*file)->reals(entry.key));
      static_cast<void>((*file)->texts(entry.key));
      static_cast<void>((*file)->text(entry.key));
    }
  }
}

}  // namespace ulp::test
