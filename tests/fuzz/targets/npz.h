#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensors/formats/numpy/npy.h"
#include "tests/fuzz/fuzz_bytes.h"

namespace ulp::test {

inline void fuzzNpz(const std::uint8_t* data, std::size_t size) {
  if (const auto archive = tensors::parseNpz(fuzzSource(data, size))) {
    touchPacked(**archive);
  }
}

}  // namespace ulp::test
