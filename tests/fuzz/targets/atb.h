#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensors/formats/atb/atb_file.h"
#include "tests/fuzz/fuzz_bytes.h"

namespace ulp::test {

inline void fuzzAtb(const std::uint8_t* data, std::size_t size) {
  const auto file = tensors::AtbFile::parse(fuzzSource(data, size));
  // Elements in another file would be looked for on the disk.
  if (file && (*file)->header().sameAs.empty()) {
    const auto tensor = (*file)->read("");
    if (tensor) {
      touch(*tensor);
    }
  }
}

}  // namespace ulp::test
