#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensors/formats/numpy/npy.h"
#include "tests/fuzz/fuzz_bytes.h"

namespace ulp::test {

inline void fuzzNpy(const std::uint8_t* data, std::size_t size) {
  if (const auto tensor = tensors::parseNpy(fuzzSource(data, size))) {
    touch(*tensor);
  }
}

}  // namespace ulp::test
