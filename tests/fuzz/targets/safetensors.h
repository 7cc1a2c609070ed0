#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensors/formats/safetensors/safetensors.h"
#include "tests/fuzz/fuzz_bytes.h"

namespace ulp::test {

inline void fuzzSafetensors(const std::uint8_t* data, std::size_t size) {
  if (const auto archive = tensors::parseSafetensors(fuzzSource(data, size))) {
    touchAll(**archive);
  }
}

}  // namespace ulp::test
