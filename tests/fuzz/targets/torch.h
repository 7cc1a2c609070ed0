#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensors/formats/torch/torch_file.h"
#include "tests/fuzz/fuzz_bytes.h"

namespace ulp::test {

/// A file of torch.save.
inline void fuzzTorch(const std::uint8_t* data, std::size_t size) {
  if (const auto file = tensors::TorchFile::parse(fuzzSource(data, size))) {
    touchPacked(**file);
  }
}

}  // namespace ulp::test
